package io.rns.wire;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.nio.charset.StandardCharsets;

/** The SOAP envelope around a payload: writes and reads (up to the body) both versions. */
public final class Envelope {
  private static final byte[] START = utf8("<_s:Envelope xmlns:_s=\"" + Namespaces.SOAP_11 + "\">");
  private static final byte[] START_1_2 = utf8("<_s:Envelope xmlns:_s=\"" + Namespaces.SOAP_12 + "\">");
  private static final byte[] HEADER = utf8("<_s:Header>");
  private static final byte[] HEADER_END = utf8("</_s:Header>");
  private static final byte[] BODY = utf8("<_s:Body>");
  private static final byte[] END = utf8("</_s:Body></_s:Envelope>");

  private Envelope() {}

  private static byte[] utf8(String markup) {
    return markup.getBytes(StandardCharsets.UTF_8);
  }

  /** Appends everything before the payload of a request. */
  public static void open(XmlBuffer out, MessageHeaders headers) {
    out.raw(START);
    if (!headers.isEmpty()) {
      out.raw(HEADER);
      headers.writeTo(out);
      out.raw(HEADER_END);
    }
    out.raw(BODY);
  }

  /**
   * Appends everything before the payload of a response.
   *
   * @param more additional header elements, self-contained; usually empty
   */
  public static void open(XmlBuffer out, SoapVersion version, ReplyHeaders headers, String more) {
    out.raw(version == SoapVersion.V1_1 ? START : START_1_2);
    if (!headers.isEmpty() || !more.isEmpty()) {
      out.raw(HEADER);
      headers.writeTo(out);
      out.raw(more).raw(HEADER_END);
    }
    out.raw(BODY);
  }

  /** Appends everything after the payload. */
  public static void close(XmlBuffer out) {
    out.raw(END);
  }

  /** {@link #enter(XmlPull, SoapVersion)} for SOAP 1.1. */
  public static boolean enter(XmlPull pull) {
    return enter(pull, SoapVersion.V1_1);
  }

  /**
   * Moves from the root element to the first child of the envelope.
   *
   * @param version the expected version of SOAP
   * @return false for an envelope of the other version
   * @throws RnsException {@link RnsError#MALFORMED_MESSAGE} if the message is not an envelope or has no body
   */
  public static boolean enter(XmlPull pull, SoapVersion version) {
    if (!pull.localName().equals("Envelope")) {
      throw new RnsException(
          RnsError.MALFORMED_MESSAGE, "the message is not SOAP: its root element is '" + pull.localName() + "'");
    }
    if (!pull.namespace().equals(version.namespace())) {
      if (pull.namespace().equals(Namespaces.SOAP_11) || pull.namespace().equals(Namespaces.SOAP_12)) {
        return false;
      }
      throw new RnsException(
          RnsError.MALFORMED_MESSAGE,
          "the message is not SOAP: its envelope has the namespace '" + pull.namespace() + "'");
    }
    if (!pull.nextChild()) {
      throw noBody();
    }
    return true;
  }

  /** Whether {@code pull} is at the header of a SOAP 1.1 envelope. */
  public static boolean atHeader(XmlPull pull) {
    return atHeader(pull, SoapVersion.V1_1);
  }

  /** Whether {@code pull} is at the header of an envelope. */
  public static boolean atHeader(XmlPull pull, SoapVersion version) {
    return pull.is(version.namespace(), "Header");
  }

  /** {@link #enterBody(XmlPull, SoapVersion)} for SOAP 1.1. */
  public static void enterBody(XmlPull pull) {
    enterBody(pull, SoapVersion.V1_1);
  }

  /** Moves from the body, the required position of {@code pull}, to its first child. */
  public static void enterBody(XmlPull pull, SoapVersion version) {
    if (!pull.is(version.namespace(), "Body")) {
      throw new RnsException(
          RnsError.MALFORMED_MESSAGE, "element '" + pull.localName() + "' found where the SOAP body is expected");
    }
    if (!pull.nextChild()) {
      throw new RnsException(RnsError.MALFORMED_MESSAGE, "the SOAP body is empty");
    }
  }

  /**
   * Moves from the end of the body's only child to the end of the document.
   *
   * @throws RnsException if there is a second child or the document is truncated
   */
  public static void leaveBody(XmlPull pull) {
    if (pull.nextChild()) {
      throw new RnsException(
          RnsError.MALFORMED_MESSAGE, "the SOAP body has a second element: '" + pull.localName() + "'");
    }
    pull.finish();
  }

  /** The error for an envelope that ends after its header. */
  public static RnsException noBody() {
    return new RnsException(RnsError.MALFORMED_MESSAGE, "the SOAP envelope has no body");
  }
}
