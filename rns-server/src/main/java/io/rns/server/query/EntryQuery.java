package io.rns.server.query;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.Namespaces;
import java.io.StringReader;
import java.util.Optional;
import javax.xml.transform.stream.StreamSource;
import net.sf.saxon.lib.Feature;
import net.sf.saxon.s9api.DocumentBuilder;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.QName;
import net.sf.saxon.s9api.SaxonApiException;
import net.sf.saxon.s9api.Serializer;
import net.sf.saxon.s9api.XQueryCompiler;
import net.sf.saxon.s9api.XQueryEvaluator;
import net.sf.saxon.s9api.XQueryExecutable;
import net.sf.saxon.s9api.XdmItem;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.XdmNodeKind;
import net.sf.saxon.s9api.XdmValue;

/**
 * One XQuery that filters and projects entries, compiled for one request: what it defines and the names that it uses
 * are gone with it. Belongs to one thread.
 */
final class EntryQuery {
  private static final QName ROOT = new QName(Namespaces.RNS_11, "RNSEntryResponseType");

  private final Guard guard;
  private final Processor processor = new Processor(false);
  private final XQueryExecutable executable;

  /**
   * Compiles a query.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} or {@link RnsError#LIMIT_EXCEEDED} if it is none, or says
   *         what it may not say
   */
  EntryQuery(String text, Guard guard) {
    QueryText.check(text);
    this.guard = guard;
    // Optimising may cost more than evaluating, and nothing stops it.
    processor.setConfigurationProperty(Feature.OPTIMIZATION_LEVEL, "0");
    processor.setConfigurationProperty(Feature.ALLOW_EXTERNAL_FUNCTIONS, false);
    processor.setConfigurationProperty(Feature.ALLOWED_PROTOCOLS, "");
    // A collation may name a class to be loaded; that of code points is always there.
    processor.setConfigurationProperty(Feature.COLLATION_URI_RESOLVER, (uri, configuration) -> null);
    executable = compiled(text);
  }

  private XQueryExecutable compiled(String text) {
    XQueryCompiler compiler = processor.newXQueryCompiler();
    compiler.setErrorReporter(error -> {});
    compiler.setCompileWithTracing(true);
    compiler.getUnderlyingStaticContext().setCodeInjector(new GuardedExpression.Injector());
    try {
      return compiler.compile(text);
    } catch (SaxonApiException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the query is not XQuery: " + said(e), e);
    } catch (ClassCastException | AssertionError | StackOverflowError e) {
      // An expression that cannot be guarded as it is compiled, or one that is nested without parentheses.
      throw new RnsException(RnsError.INVALID_REQUEST, "the query has a form that is not supported", e);
    }
  }

  /**
   * Evaluates the query about one entry.
   *
   * @param entry the context document: an {@code rns:RNSEntryResponseType}
   * @return the {@code rns:RNSEntryResponseType} that it gives, as XML; empty if it gives nothing
   */
  Optional<String> evaluate(String entry) {
    guard.begin();
    try {
      guard.check();
      DocumentBuilder documents = processor.newDocumentBuilder();
      XQueryEvaluator evaluator = executable.load();
      evaluator.setErrorReporter(error -> {});
      evaluator.setTraceListener(guard);
      evaluator.setContextItem(documents.build(new StreamSource(new StringReader(entry))));
      return result(evaluator.evaluate());
    } catch (SaxonApiException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the query cannot be evaluated: " + said(e), e);
    } catch (StackOverflowError e) {
      throw new RnsException(RnsError.LIMIT_EXCEEDED, "the query is nested too deeply", e);
    }
  }

  private Optional<String> result(XdmValue value) throws SaxonApiException {
    if (value.size() == 0) {
      return Optional.empty();
    }
    XdmItem item = value.itemAt(0);
    if (value.size() == 1 && item instanceof XdmNode node) {
      XdmNode root = node.getNodeKind() == XdmNodeKind.DOCUMENT ? node.getOutermostElement() : node;
      if (ROOT.equals(root.getNodeName())) {
        String xml = text(root);
        Limits.check("a result of the query", xml.length(), Limits.ENTRY_BYTES, "characters");
        return Optional.of(xml);
      }
    }
    throw new RnsException(
        RnsError.INVALID_REQUEST, "the query must return nothing or one " + ROOT.getEQName());
  }

  /** The node as it is: without white space that was not there. */
  private String text(XdmNode node) throws SaxonApiException {
    Serializer serializer = processor.newSerializer();
    serializer.setOutputProperty(Serializer.Property.METHOD, "xml");
    serializer.setOutputProperty(Serializer.Property.INDENT, "no");
    serializer.setOutputProperty(Serializer.Property.OMIT_XML_DECLARATION, "yes");
    return serializer.serializeNodeToString(node);
  }

  private static String said(SaxonApiException error) {
    return String.valueOf(error.getMessage()).replaceAll("\\s+", " ");
  }
}
