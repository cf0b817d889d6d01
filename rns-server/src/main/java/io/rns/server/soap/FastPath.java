package io.rns.server.soap;

import io.rns.error.RnsException;
import io.rns.wire.Envelope;
import io.rns.wire.MessageHeaders;
import io.rns.wire.SoapVersion;
import io.rns.wire.operation.RequestReader;
import io.rns.xml.XmlPull;

/**
 * Reads the plain messages and finds out which are not. A message that is not plain is still read to its end, so that
 * nothing that is malformed or out of bounds reaches JAX-WS.
 */
final class FastPath {
  private FastPath() {}

  /**
   * Reads a message if it is plain: an envelope with no headers but ours and those of WS-Addressing, and a body of
   * ours. The message is UTF-8 afterwards, whatever it was.
   */
  static FastPathResult read(SoapEndpoint endpoint, SoapScratch request, ContentType type, SoapCall call) {
    if (type.kind() == ContentType.Kind.MULTIPART) {
      return FastPathResult.NotMine.INSTANCE;
    }
    MessageHeaders.Reader headers = new MessageHeaders.Reader(call.target());
    Addressing addressing = new Addressing();
    SoapVersion version = type.version();
    try {
      MessageEncoding.toUtf8(request, type.charset());
      try (XmlPull pull = XmlPull.document(request.body, request.length)) {
        if (isOfOtherVersion(pull, version)) {
          String namespace = pull.namespace();
          checkRest(pull);
          return FastPathResult.Plain.of(new VersionMismatchReply(namespace, endpoint.settings().clock()), addressing);
        }
        if (!isPlain(pull, version, headers, addressing)) {
          checkRest(pull);
          return FastPathResult.NotMine.INSTANCE;
        }
        SoapEndpoint.Prepared prepared = endpoint.read(pull, headers.headers(), call);
        return new FastPathResult.Plain(prepared.work(), prepared.waits(), addressing, prepared.answer());
      }
    } catch (RnsException e) {
      return FastPathResult.Plain.of(endpoint.refuse(e, headers.headers()), addressing);
    }
  }

  /**
   * The answer to a message that is refused whatever it asks for. Of a plain one the headers still say how it is to be
   * answered: they are read up to the first that is not known here, or no good, since there is no place for more work.
   */
  static Reply refuse(SoapEndpoint endpoint, SoapScratch request, ContentType type, SoapCall call, RnsException why) {
    MessageHeaders.Reader headers = new MessageHeaders.Reader(call.target());
    Addressing addressing = new Addressing();
    if (type.kind() != ContentType.Kind.MULTIPART && MessageEncoding.isPlain(request, type.charset())) {
      try (XmlPull pull = XmlPull.document(request.body, request.length)) {
        boolean unused =
            !isOfOtherVersion(pull, type.version()) && readsHeaders(pull, type.version(), headers, addressing);
      } catch (RnsException unreadable) {
        // Notified once there is a place for the message.
      }
    }
    return endpoint.refuse(why, headers.headers()).relatedTo(addressing);
  }

  private static boolean isOfOtherVersion(XmlPull pull, SoapVersion version) {
    return pull.localName().equals("Envelope") && !pull.namespace().equals(version.namespace());
  }

  /** Reads the headers and moves to the body's child. */
  private static boolean isPlain(
      XmlPull pull, SoapVersion version, MessageHeaders.Reader headers, Addressing addressing) {
    if (!readsHeaders(pull, version, headers, addressing)) {
      return false;
    }
    Envelope.enterBody(pull, version);
    return RequestReader.knows(pull);
  }

  /** Reads the headers and moves to the body; false at what is not known here. */
  private static boolean readsHeaders(
      XmlPull pull, SoapVersion version, MessageHeaders.Reader headers, Addressing addressing) {
    if (!Envelope.enter(pull, version)) {
      return false;
    }
    if (Envelope.atHeader(pull, version)) {
      while (pull.nextChild()) {
        // Known headers need no mustUnderstand, and may be for any role.
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
}
