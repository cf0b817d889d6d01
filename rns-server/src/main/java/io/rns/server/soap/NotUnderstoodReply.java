package io.rns.server.soap;

import io.rns.wire.Faults;
import io.rns.wire.Namespaces;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;

/** The fault of headers that must be understood and are not; SOAP 1.2 names each of them in a header as well. */
final class NotUnderstoodReply extends Reply {
  private final Set<QName> headers;

  NotUnderstoodReply(Set<QName> headers) {
    super(ReplyHeaders.NONE);
    this.headers = headers;
  }

  @Override
  int status(SoapVersion version) {
    return HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
  }

  @Override
  String action() {
    return Actions.FAULT;
  }

  @Override
  String ownHeaders(SoapVersion version) {
    if (version == SoapVersion.V1_1) {
      return "";
    }
    XmlBuffer out = new XmlBuffer(256);
    for (QName header : headers) {
      out.raw("<_s:NotUnderstood xmlns:_s=\"" + Namespaces.SOAP_12 + "\"").attribute("xmlns:_q",
          header.getNamespaceURI());
      out.attribute("qname", "_q:" + header.getLocalPart()).raw("/>");
    }
    return out.toString();
  }

  @Override
  boolean writeNext(XmlBuffer out, SoapVersion version) {
    String names = headers.stream().map(QName::toString).collect(Collectors.joining(", "));
    Faults.writeNotUnderstood(out, version, "headers that must be understood are not: " + names);
    return false;
  }
}
