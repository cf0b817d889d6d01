package io.rns.wire.resource;

import java.util.Map;

/** Evaluates expressions of XPath 1.0 about property documents. Safe for use by many threads. */
public interface PropertyQueries {
  /**
   * Evaluates an expression.
   *
   * @param document the property document
   * @param namespaces the namespaces of the prefixes in the expression
   * @return the elements that it gives, or what else it gives as text; as XML
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#INVALID_REQUEST} if it is none,
   *         {@link io.rns.error.RnsError#LIMIT_EXCEEDED} if it could take long
   */
  String evaluate(String document, String expression, Map<String, String> namespaces);
}
