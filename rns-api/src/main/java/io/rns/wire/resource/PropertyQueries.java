package io.rns.wire.resource;

import java.util.Map;

/** Evaluates XPath 1.0 expressions on property documents. Safe for use by many threads. */
public interface PropertyQueries {
  /**
   * Evaluates an expression.
   *
   * @param document the property document
   * @param namespaces the namespaces of the prefixes in the expression
   * @return the selected elements, or any other result as text; as XML
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#INVALID_REQUEST} if the expression is invalid,
   *         {@link io.rns.error.RnsError#LIMIT_EXCEEDED} if its evaluation could take long
   */
  String evaluate(String document, String expression, Map<String, String> namespaces);
}
