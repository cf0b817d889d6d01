package io.rns.server.soap;

import com.sun.xml.ws.api.SOAPVersion;
import com.sun.xml.ws.api.message.Header;
import com.sun.xml.ws.api.message.Message;
import com.sun.xml.ws.api.pipe.Codecs;
import com.sun.xml.ws.api.pipe.StreamSOAPCodec;
import com.sun.xml.ws.api.streaming.XMLStreamReaderFactory;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.Fault;
import io.rns.wire.MessageHeaders;
import io.rns.wire.Namespaces;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlPull;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.xml.ws.WebServiceContext;
import jakarta.xml.ws.handler.MessageContext;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/**
 * The entrance through JAX-WS, the same for both versions of SOAP. A provider of whole messages has to see to {@code
 * mustUnderstand} itself: it understands our headers and all of WS-Addressing, and needs none of them.
 */
final class MessageEntrance {
  /** The envelope and the body stand above the payload. */
  private static final int PAYLOAD_DEPTH = 3;

  private final SoapVersion version;
  private final SOAPVersion metro;
  /** Stateless; made once, because making one searches the class path for plug-ins. */
  private final StreamSOAPCodec codec;

  MessageEntrance(SoapVersion version) {
    this.version = version;
    this.metro = version == SoapVersion.V1_1 ? SOAPVersion.SOAP_11 : SOAPVersion.SOAP_12;
    this.codec = Codecs.createSOAPEnvelopeXmlCodec(metro);
  }

  Message invoke(Message request, WebServiceContext context) {
    MessageContext properties = context.getMessageContext();
    ServletContext servlets = (ServletContext) properties.get(MessageContext.SERVLET_CONTEXT);
    HttpServletRequest http = (HttpServletRequest) properties.get(MessageContext.SERVLET_REQUEST);
    Object endpoint = servlets.getAttribute(SoapEndpoint.ATTRIBUTE);
    // The filter has put it there: nothing comes here without passing it.
    SoapCall call = (SoapCall) http.getAttribute(SoapCall.ATTRIBUTE);
    Reply reply = answer(request, endpoint instanceof SoapEndpoint ready ? ready : null, call);
    int status = reply.status(version);
    if (status != HttpServletResponse.SC_OK) {
      properties.put(MessageContext.HTTP_RESPONSE_CODE, status);
    }
    return message(reply);
  }

  /** Answers a message; {@code endpoint} is null as long as there is none. */
  Reply answer(Message request, @Nullable SoapEndpoint endpoint, SoapCall call) {
    Headers headers = new Headers(call.target());
    Reply reply;
    if (endpoint == null) {
      RnsException starting = new RnsException(RnsError.UNAVAILABLE, "the service is starting");
      return new FaultReply(Fault.of(starting, RnsPath.ROOT), false, ReplyHeaders.NONE, InstantSource.system());
    }
    try {
      for (Header header : request.getHeaders().asList()) {
        headers.take(header);
      }
      if (!headers.unknown.isEmpty()) {
        request.consume();
        return new NotUnderstoodReply(headers.unknown).relatedTo(headers.addressing);
      }
      reply = answer(request, endpoint, headers.ours.headers(), call);
    } catch (RuntimeException e) {
      reply = endpoint.refuse(e, headers.ours.headers());
    } catch (XMLStreamException e) {
      RnsException malformed =
          new RnsException(RnsError.MALFORMED_MESSAGE, "the message is not well-formed XML: " + e.getMessage(), e);
      reply = endpoint.refuse(malformed, headers.ours.headers());
    }
    return reply.relatedTo(headers.addressing);
  }

  private static Reply answer(Message request, SoapEndpoint endpoint, MessageHeaders headers, SoapCall call)
      throws XMLStreamException {
    if (!request.hasPayload()) {
      throw new RnsException(RnsError.MALFORMED_MESSAGE, "the SOAP body is empty");
    }
    return endpoint.read(XmlPull.at(request.readPayload(), PAYLOAD_DEPTH), headers, call).answer().get();
  }

  /** Makes a message of JAX-WS that is written as the answer is. */
  Message message(Reply reply) {
    ReplyStream bytes = new ReplyStream(reply, version);
    return codec.decode(XMLStreamReaderFactory.create(null, bytes, "UTF-8", true));
  }

  /** What the headers of a request say. */
  private final class Headers {
    final MessageHeaders.Reader ours;
    final Set<QName> unknown = new LinkedHashSet<>();
    private final Set<String> roles = Set.of(metro.implicitRole);
    final Addressing addressing = new Addressing();

    Headers(Target asked) {
      ours = new MessageHeaders.Reader(asked);
    }

    void take(Header header) throws XMLStreamException {
      String namespace = header.getNamespaceURI();
      if (namespace.equals(Namespaces.WSA)) {
        if (header.getLocalPart().equals("MessageID")) {
          addressing.messageId(header.getStringContent());
        }
        return;
      }
      boolean known = false;
      if (MessageHeaders.Reader.mayKnow(namespace)) {
        known = ours.take(XmlPull.at(header.readHeader(), PAYLOAD_DEPTH));
      }
      if (!known && !header.isIgnorable(metro, new HashSet<>(roles))) {
        unknown.add(new QName(namespace, header.getLocalPart()));
      }
    }
  }
}
