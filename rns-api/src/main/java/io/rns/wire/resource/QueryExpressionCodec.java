package io.rns.wire.resource;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Outcome;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.FaultTable;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.Preconditions;
import io.rns.wire.ReplyForm;
import io.rns.wire.RequestFrame;
import io.rns.wire.ResourceTarget;
import io.rns.wire.resource.QueryExpressionCodec.Asked;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code wsrp:QueryResourceProperties}: an XPath 1.0 expression on the property document of the resource. */
public final class QueryExpressionCodec implements ResourceOperationCodec<Asked, String> {
  /** The only supported dialect. */
  static final String XPATH_1_0 = "http://www.w3.org/TR/1999/REC-xpath-19991116";

  private static final Pattern PREFIX = Pattern.compile("([\\p{L}_][\\p{L}\\p{N}_.-]*):(?!:)");

  /**
   * The content of a request.
   *
   * @param resource the resource
   * @param expression the expression
   * @param namespaces the namespaces of its prefixes
   */
  public record Asked(ResourceTarget resource, String expression, Map<String, String> namespaces) {}

  @Override
  public String element() {
    return "QueryResourceProperties";
  }

  @Override
  public String action() {
    return "http://docs.oasis-open.org/wsrf/rpw-2/" + element() + "/" + responseElement();
  }

  @Override
  public FaultTable faults() {
    return FaultTable.QUERY;
  }

  @Override
  public Target target(Asked item) {
    return item.resource().directory();
  }

  @Override
  public void writeRequest(XmlBuffer out, Asked item, Place place) {
    out.raw("<_p:QueryResourceProperties xmlns:_p=\"" + Namespaces.WSRP + "\"><_p:QueryExpression");
    item.namespaces().forEach((prefix, namespace) -> out.attribute("xmlns:" + prefix, namespace));
    out.raw(" Dialect=\"" + XPATH_1_0 + "\">").text(item.expression());
    out.raw("</_p:QueryExpression></_p:QueryResourceProperties>");
  }

  @Override
  public Asked readRequest(XmlPull pull, RequestFrame frame) {
    Preconditions.none(frame, element());
    @Nullable
    Asked asked = null;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.WSRP, "QueryExpression")) {
        Markup.once(asked, "QueryExpression");
        asked = read(pull, frame.resource());
      } else {
        pull.skip();
      }
    }
    if (asked == null) {
      throw new RnsException(RnsError.INVALID_REQUEST, element() + " has no element 'QueryExpression'");
    }
    return asked;
  }

  private static Asked read(XmlPull pull, ResourceTarget resource) {
    String dialect = pull.attribute("", "Dialect");
    if (dialect == null || !dialect.trim().equals(XPATH_1_0)) {
      throw new RnsException(
          RnsError.UNKNOWN_OPERATION,
          "query dialect '" + Markup.shown(String.valueOf(dialect)) + "' is not supported; the only one is "
              + XPATH_1_0);
    }
    String expression = pull.text();
    Limits.check("the query expression", expression.length(), Limits.EXPRESSION_CHARS, "characters");
    // The bindings of an element stay in scope until its end is passed.
    Map<String, String> namespaces = new TreeMap<>();
    Matcher prefixes = PREFIX.matcher(expression);
    while (prefixes.find()) {
      String namespace = pull.namespaceOf(prefixes.group(1));
      if (namespace != null) {
        namespaces.put(prefixes.group(1), namespace);
      }
    }
    return new Asked(resource, expression, namespaces);
  }

  @Override
  public void writeResponse(XmlBuffer out, String result, ReplyForm form, Place place) {
    out.raw("<_p:QueryResourcePropertiesResponse xmlns:_p=\"" + Namespaces.WSRP + "\">").raw(result);
    out.raw("</_p:QueryResourcePropertiesResponse>");
  }

  /** Reads the elements of a result or, if there are none, its text. */
  @Override
  public String readResponse(XmlPull pull) {
    StringBuilder text = new StringBuilder();
    String whole = pull.fragment(text);
    if (text.length() > 0) {
      return new XmlBuffer(64).text(text.toString()).toString();
    }
    StringBuilder elements = new StringBuilder();
    try (XmlPull again = XmlPull.document(whole)) {
      while (again.nextChild()) {
        elements.append(again.fragment());
      }
    }
    return elements.toString();
  }

  @Override
  public Answer<Outcome<String>> call(Resources resources, CallContext call, Asked item) {
    return PropertyValues.ask(resources, call, item.resource(), Property.of(item.resource()))
        .map(
            outcome -> outcome.map(
                values -> resources.queries().evaluate(document(values), item.expression(), item.namespaces())));
  }

  private static String document(PropertyValues values) {
    XmlBuffer out = new XmlBuffer(1_024);
    values.writeDocument(out);
    return out.toString();
  }
}
