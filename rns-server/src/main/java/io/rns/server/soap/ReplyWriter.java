package io.rns.server.soap;

import io.rns.server.http.Challenge;
import io.rns.wire.Envelope;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes answers of the fast path to HTTP responses. */
final class ReplyWriter {
  private ReplyWriter() {}

  /** Sends a whole answer. */
  static void send(Reply reply, SoapVersion version, SoapScratch scratch, HttpServletResponse response)
      throws IOException {
    boolean more = begin(reply, version, scratch.answer(), response);
    end(reply, version, more, scratch, response);
  }

  /** Makes the first piece; returns whether there are more. */
  static boolean begin(Reply reply, SoapVersion version, XmlBuffer out, HttpServletResponse response) {
    reply.open(out, version);
    boolean more = reply.writeNext(out, version);
    int status = reply.status(version);
    response.setStatus(status);
    Challenge.addTo(response, status);
    response.setContentType(PlainFault.contentType(version));
    return more;
  }

  /** Sends that piece and makes and sends the others; always false. */
  static boolean end(Reply reply, SoapVersion version, boolean begun, SoapScratch scratch, HttpServletResponse response)
      throws IOException {
    XmlBuffer out = scratch.answer();
    ServletOutputStream body = response.getOutputStream();
    boolean more = begun;
    while (more) {
      scratch.noteAnswer();
      out.writeTo(body);
      out.truncate(0);
      more = reply.writeNext(out, version);
    }
    Envelope.close(out);
    if (!response.isCommitted()) {
      response.setContentLength(out.length());
    }
    out.writeTo(body);
    return false;
  }
}
