package io.rns.guard;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.glassfish.grizzly.http.HttpRequestPacket;
import org.jspecify.annotations.Nullable;

/** A {@link Problem} in the form of the service's SOAP faults. */
final class SoapFault {
  private static final Pattern SERVICES = Pattern.compile("/+services(?:[/;]|$)");
  private static final String SOAP_12 = "application/soap+xml";

  private SoapFault() {}

  /** Whether the path of a request, as sent, is below {@code /services} of an application. */
  static boolean isFor(HttpRequestPacket request, List<String> contexts) {
    String sent = request.getRequestURIRef().getURI(StandardCharsets.ISO_8859_1);
    return contexts.stream()
        .anyMatch(context -> sent.startsWith(context + "/")
            && SERVICES.matcher(sent.substring(context.length())).lookingAt());
  }

  /** The content type of a fault for a request of this content type: that of the same SOAP version. */
  static String contentType(@Nullable String request) {
    return (isNewer(request) ? SOAP_12 : "text/xml") + ";charset=utf-8";
  }

  /** The problem as a fault of the SOAP version of a request of this content type. */
  static String of(Problem problem, @Nullable String request) {
    boolean newer = isNewer(request);
    String fault = newer ? soap12(problem) : soap11(problem);
    String namespace = newer ? "http://www.w3.org/2003/05/soap-envelope" : "http://schemas.xmlsoap.org/soap/envelope/";
    return "<s:Envelope xmlns:s=\"" + namespace + "\"><s:Body><s:Fault>" + fault
        + "</s:Fault></s:Body></s:Envelope>";
  }

  private static boolean isNewer(@Nullable String request) {
    return request != null && request.strip().toLowerCase(Locale.ROOT).startsWith(SOAP_12);
  }

  private static String soap11(Problem problem) {
    return "<faultcode>s:" + (problem.isOfClient() ? "Client" : "Server") + "</faultcode><faultstring>"
        + problem.detail()
        + "</faultstring><detail>" + detail(problem) + "</detail>";
  }

  private static String soap12(Problem problem) {
    return "<s:Code><s:Value>s:" + (problem.isOfClient() ? "Sender" : "Receiver")
        + "</s:Value></s:Code><s:Reason><s:Text xml:lang=\"en\">" + problem.detail() + "</s:Text></s:Reason><s:Detail>"
        + detail(problem) + "</s:Detail>";
  }

  /** The same detail element as in the service's own faults. */
  private static String detail(Problem problem) {
    return "<r:RNSFaultType xmlns:r=\"http://schemas.ggf.org/rns/2006/05/rns\" xmlns:b=\"http://docs.oasis-open.org/wsrf/bf-2\">"
        + "<b:Timestamp>" + Instant.now() + "</b:Timestamp><b:ErrorCode dialect=\"urn:rns:ext:1\">" + problem.code()
        + "</b:ErrorCode><b:Description>" + problem.detail() + "</b:Description><r:Path>/</r:Path></r:RNSFaultType>";
  }
}
