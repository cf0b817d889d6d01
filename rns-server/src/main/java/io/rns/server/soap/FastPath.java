package io.rns.server.soap;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.Envelope;
import io.rns.wire.MessageHeaders;
import io.rns.wire.RequestReader;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlPull;
import java.io.ByteArrayInputStream;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import org.jspecify.annotations.Nullable;

/**
 * Answers the plain messages and finds out which are not. A message that is not plain is still read to its end, so that
 * nothing that is malformed or out of bounds reaches JAX-WS.
 */
final class FastPath {
  private FastPath() {}

  /**
   * Answers a message if it is plain: SOAP 1.1 in UTF-8, with no headers but ours and those of WS-Addressing, and a body
   * of ours.
   *
   * @param mayPostpone whether the answer may be {@link PostponedReply} where it would have to wait
   * @return the answer, also to a message that is no good; null if JAX-WS shall answer
   */
  static @Nullable Reply answer(
      SoapEndpoint endpoint, Scratch request, ContentType type, SoapCall call, boolean mayPostpone) {
    MessageHeaders.Reader headers = new MessageHeaders.Reader(call.target());
    Addressing addressing = new Addressing();
    try {
      if (type.kind() != ContentType.Kind.SOAP_1_1 || !type.mayBeUtf8() || isWide(request)) {
        check(request, type);
        return null;
      }
      try (XmlPull pull = XmlPull.document(request.body, request.length)) {
        if (!isPlain(pull, headers, addressing)) {
          checkRest(pull);
          return null;
        }
        MessageHeaders read = headers.headers();
        return mayPostpone && endpoint.mayWait(pull, read)
            ? PostponedReply.INSTANCE
            : endpoint.handle(pull, read, call).relatedTo(addressing);
      }
    } catch (RnsException e) {
      return endpoint.refuse(e, headers.headers()).relatedTo(addressing);
    }
  }

  /**
   * The answer to a message that is refused whatever it asks for. Of a plain one the headers still say how it is to be answered:
   * they are read up to the first that is not known here, or no good, since there is no place for more work.
   */
  static Reply refuse(SoapEndpoint endpoint, Scratch request, ContentType type, SoapCall call, RnsException why) {
    MessageHeaders.Reader headers = new MessageHeaders.Reader(call.target());
    Addressing addressing = new Addressing();
    if (type.kind() != ContentType.Kind.MULTIPART && type.mayBeUtf8() && !isWide(request)) {
      try (XmlPull pull = XmlPull.document(request.body, request.length)) {
        boolean unused = readsHeaders(pull, type.version(), headers, addressing);
      } catch (RnsException unreadable) {
        // Is told once there is a place for the message.
      }
    }
    return endpoint.refuse(why, headers.headers()).relatedTo(addressing);
  }

  /** Reads the headers and moves to the body's child. */
  private static boolean isPlain(XmlPull pull, MessageHeaders.Reader headers, Addressing addressing) {
    if (!readsHeaders(pull, SoapVersion.V1_1, headers, addressing)) {
      return false;
    }
    Envelope.enterBody(pull);
    return RequestReader.knows(pull);
  }

  /** Reads the headers and moves to the body; false at what is not known here. */
  private static boolean readsHeaders(
      XmlPull pull, SoapVersion version, MessageHeaders.Reader headers, Addressing addressing) {
    String encoding = pull.declaredEncoding();
    if (encoding != null && !encoding.equalsIgnoreCase("UTF-8")) {
      return false;
    }
    if (!Envelope.enter(pull, version)) {
      return false;
    }
    if (Envelope.atHeader(pull, version)) {
      while (pull.nextChild()) {
        // What is understood need not say that it must be, and concerns whoever it is for.
        if (!addressing.take(pull) && !headers.take(pull)) {
          return false;
        }
      }
      if (!pull.nextChild()) {
        throw Envelope.noBody();
      }
    }
    return true;
  }

  private static void checkRest(XmlPull pull) {
    pull.leave(1);
    pull.finish();
  }

  private static void check(Scratch request, ContentType type) {
    if (type.kind() == ContentType.Kind.MULTIPART) {
      return;
    }
    boolean utf8 = type.mayBeUtf8() && !isWide(request);
    try (XmlPull pull = utf8 && type.charset() != null ? XmlPull.document(request.body, request.length) : any(request, type)) {
      checkRest(pull);
    }
  }

  private static XmlPull any(Scratch request, ContentType type) {
    return XmlPull.document(new ByteArrayInputStream(request.body, 0, request.length), known(type.charset()));
  }

  private static @Nullable String known(@Nullable String charset) {
    try {
      return charset == null ? null : Charset.forName(charset).name();
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      throw new RnsException(
          RnsError.MALFORMED_MESSAGE, "the charset of the content type is not known", e);
    }
  }

  /** Whether the first bytes are those of UTF-16 or UTF-32. */
  private static boolean isWide(Scratch request) {
    if (request.length < 2) {
      return false;
    }
    int first = request.body[0] & 0xff;
    int second = request.body[1] & 0xff;
    return first == 0 || second == 0 || first >= 0xfe;
  }
}
