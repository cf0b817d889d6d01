package io.rns.server.query;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.resource.PropertyQueries;
import io.rns.xml.XmlBuffer;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.namespace.NamespaceContext;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathEvaluationResult;
import javax.xml.xpath.XPathExpression;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import javax.xml.xpath.XPathFactoryConfigurationException;
import javax.xml.xpath.XPathNodes;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * Expressions of XPath 1.0 about property documents, by the platform's own evaluator with secure processing: no
 * functions but those of the standard.
 *
 * <p>An evaluation cannot be stopped, so its cost is bounded beforehand: XPath 1.0 has neither loops nor variables, a
 * property document has a dozen elements, and what multiplies the work is one step after or within another. Their
 * number is bounded by {@link #STEPS}. Safe for use by many threads.
 */
public final class XPathQueries implements PropertyQueries {
  /** The most steps of one expression: the characters {@code /} and {@code [}, and {@code ::}. */
  public static final int STEPS = 10;

  @Override
  public String evaluate(String document, String expression, Map<String, String> namespaces) {
    int steps = steps(expression);
    if (steps > STEPS) {
      throw new RnsException(
          RnsError.LIMIT_EXCEEDED, "the query expression has " + steps + " steps; the limit is " + STEPS + " steps");
    }
    try {
      XPath xpath = xpath(namespaces);
      XPathExpression compiled = xpath.compile(expression);
      return text(compiled.evaluateExpression(parse(document)));
    } catch (XPathExpressionException e) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "the query expression is not XPath 1.0 that can be evaluated: " + said(e), e);
    } catch (XPathFactoryConfigurationException
        | ParserConfigurationException
        | SAXException
        | IOException
        | TransformerException e) {
      throw new IllegalStateException("the platform lacks the required XPath support", e);
    }
  }

  private static int steps(String expression) {
    int steps = 0;
    for (int i = 0; i < expression.length(); i++) {
      char c = expression.charAt(i);
      boolean isAxis = c == ':' && expression.startsWith("::", i);
      if (c == '/' || c == '[' || isAxis) {
        steps++;
      }
    }
    return steps;
  }

  private static String said(XPathExpressionException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return String.valueOf(cause.getMessage()).replaceAll("\\s+", " ");
  }

  private static XPath xpath(Map<String, String> namespaces) throws XPathFactoryConfigurationException {
    XPathFactory factory = XPathFactory.newDefaultInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    XPath xpath = factory.newXPath();
    xpath.setNamespaceContext(
        new NamespaceContext() {
          @Override
          public String getNamespaceURI(String prefix) {
            return namespaces.getOrDefault(prefix, XMLConstants.NULL_NS_URI);
          }

          @Override
          public String getPrefix(String namespace) {
            throw new UnsupportedOperationException("XPath asks for namespaces only");
          }

          @Override
          public Iterator<String> getPrefixes(String namespace) {
            throw new UnsupportedOperationException("XPath asks for namespaces only");
          }
        });
    return xpath;
  }

  private static Document parse(String document) throws ParserConfigurationException, SAXException, IOException {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(document)));
  }

  private static String text(XPathEvaluationResult<?> result) throws TransformerException {
    return switch (result.type()) {
      case NODESET -> nodes((XPathNodes) result.value());
      case NODE -> nodes(List.of((Node) result.value()));
      case NUMBER -> number((Double) result.value());
      case BOOLEAN, STRING, ANY -> new XmlBuffer(64).text(String.valueOf(result.value())).toString();
    };
  }

  /** A number as XPath writes it. */
  private static String number(Double number) {
    boolean isWhole = number == Math.rint(number) && Math.abs(number) < 1e15;
    return isWhole ? Long.toString(number.longValue()) : number.toString();
  }

  private static String nodes(Iterable<Node> nodes) throws TransformerException {
    Transformer transformer = TransformerFactory.newDefaultInstance().newTransformer();
    transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
    StringWriter out = new StringWriter();
    for (Node node : nodes) {
      if (node.getNodeType() == Node.ELEMENT_NODE || node.getNodeType() == Node.DOCUMENT_NODE) {
        transformer.transform(new DOMSource(node), new StreamResult(out));
      } else {
        out.write(new XmlBuffer(64).text(node.getNodeValue()).toString());
      }
    }
    return out.toString();
  }
}
