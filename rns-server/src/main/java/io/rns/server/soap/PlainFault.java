package io.rns.server.soap;

import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.server.http.Challenge;
import io.rns.wire.Envelope;
import io.rns.wire.Fault;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.InstantSource;

/** The fault of a request that does not get as far as the endpoint. */
final class PlainFault {
  private static final String XML_UTF_8 = "text/xml;charset=utf-8";
  private static final String SOAP_XML_UTF_8 = "application/soap+xml;charset=utf-8";

  private PlainFault() {}

  /** The content type of answers. */
  static String contentType(SoapVersion version) {
    return version == SoapVersion.V1_1 ? XML_UTF_8 : SOAP_XML_UTF_8;
  }

  /** Sends it with the status that its version of SOAP has for it. */
  static void send(HttpServletResponse response, SoapVersion version, RnsException error) throws IOException {
    send(response, version, reply(error).status(version), error);
  }

  /** Sends it with a status of HTTP's own. */
  static void send(HttpServletResponse response, SoapVersion version, int status, RnsException error)
      throws IOException {
    XmlBuffer out = new XmlBuffer(1_024);
    Reply reply = reply(error);
    reply.open(out, version);
    reply.writeNext(out, version);
    Envelope.close(out);
    response.setStatus(status);
    Challenge.addTo(response, status);
    response.setContentType(contentType(version));
    response.setContentLength(out.length());
    out.writeTo(response.getOutputStream());
  }

  private static Reply reply(RnsException error) {
    return new FaultReply(Fault.of(error, RnsPath.ROOT), false, ReplyHeaders.NONE, InstantSource.system());
  }
}
