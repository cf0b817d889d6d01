package io.rns.server.soap;

import com.sun.xml.ws.api.SOAPVersion;
import com.sun.xml.ws.api.message.Message;
import com.sun.xml.ws.api.pipe.Codecs;
import com.sun.xml.ws.api.streaming.XMLStreamReaderFactory;
import io.rns.api.Caller;
import io.rns.api.Target;
import io.rns.wire.Envelope;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Optional;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/** Messages through either entrance, without a container around it. */
final class Entrances {
  static final String URL = "http://rns.example/rns/services/rns";

  private static final SoapCall CALL =
      new SoapCall(Caller.ANONYMOUS, URL, Target.ROOT, "", () -> "192.0.2.1", () -> "192.0.2.1", () -> "",
          Optional.empty());
  private static final ContentType TEXT_XML = ContentType.parse("text/xml; charset=utf-8");

  private Entrances() {}

  /** The answer of the fast path; null if it hands the message on. */
  static byte @Nullable [] fast(SoapEndpoint endpoint, byte[] message) {
    return fast(endpoint, message, TEXT_XML);
  }

  static byte @Nullable [] fast(SoapEndpoint endpoint, byte[] message, ContentType type) {
    return fast(endpoint, message, type, CALL);
  }

  /** The same for a caller with a name. */
  static byte @Nullable [] fast(SoapEndpoint endpoint, byte[] message, Caller caller) {
    return fast(endpoint, message, TEXT_XML,
        new SoapCall(caller, URL, Target.ROOT, "", () -> "192.0.2.1", () -> "192.0.2.1", () -> "", Optional.empty()));
  }

  private static byte @Nullable [] fast(SoapEndpoint endpoint, byte[] message, ContentType type, SoapCall call) {
    SoapScratch scratch = new SoapScratch();
    scratch.body = message.clone();
    scratch.length = message.length;
    FastPathResult result = FastPath.read(endpoint, scratch, type, call);
    if (!(result instanceof FastPathResult.Plain plain)) {
      return null;
    }
    Reply reply = plain.answer().get().relatedTo(plain.addressing());
    XmlBuffer out = new XmlBuffer(16);
    reply.open(out, type.version());
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    boolean more = true;
    while (more) {
      more = reply.writeNext(out, type.version());
      all.writeBytes(out.toByteArray());
      out.truncate(0);
    }
    Envelope.close(out);
    all.writeBytes(out.toByteArray());
    return all.toByteArray();
  }

  /** The answer of the entrance through JAX-WS, as its runtime would write it. */
  static byte[] jaxWs(@Nullable SoapEndpoint endpoint, byte[] message, SoapVersion version) throws XMLStreamException {
    SOAPVersion metro = version == SoapVersion.V1_1 ? SOAPVersion.SOAP_11 : SOAPVersion.SOAP_12;
    Message request =
        Codecs.createSOAPEnvelopeXmlCodec(metro)
            .decode(XMLStreamReaderFactory.create(null, new ByteArrayInputStream(message), "UTF-8", true));
    MessageEntrance entrance = new MessageEntrance(version);
    Message answer = entrance.message(entrance.answer(request, endpoint, CALL));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    XMLStreamWriter writer = XMLOutputFactory.newFactory().createXMLStreamWriter(bytes, "UTF-8");
    answer.writeTo(writer);
    writer.close();
    return bytes.toByteArray();
  }
}
