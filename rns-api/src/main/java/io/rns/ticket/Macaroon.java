package io.rns.ticket;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A macaroon with first-party caveats, in the published binary format, version 2: an identifier and caveats, chained by
 * HMAC-SHA256, so that whoever holds it can add caveats but not remove or reorder any.
 *
 * <p>Own code because a library is not needed for one HMAC per caveat, and those at hand read lengths of a token
 * without a bound and bring ciphers for third-party caveats, which are refused here.
 */
final class Macaroon {
  /** Longest text form, in characters. */
  static final int MOST_CHARACTERS = 6_000;

  /** Most caveats. */
  static final int MOST_CAVEATS = 64;

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] GENERATOR = "macaroons-key-generator".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION = 2;
  private static final int END = 0;
  private static final int LOCATION = 1;
  private static final int IDENTIFIER = 2;
  private static final int SIGNATURE = 6;
  private static final int HASH_BYTES = 32;

  private final String location;
  private final String identifier;
  private final List<String> caveats;
  private final byte[] signature;

  private Macaroon(String location, String identifier, List<String> caveats, byte[] signature) {
    this.location = location;
    this.identifier = identifier;
    this.caveats = List.copyOf(caveats);
    this.signature = signature;
  }

  /** A new one without caveats. */
  static Macaroon of(String location, String identifier, byte[] rootKey) {
    return new Macaroon(location, identifier, List.of(), first(identifier, rootKey));
  }

  private static byte[] first(String identifier, byte[] rootKey) {
    return mac(mac(GENERATOR, rootKey), identifier.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] mac(byte[] key, byte[] text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What the maker wrote. */
  String identifier() {
    return identifier;
  }

  /** The caveats, oldest first. */
  List<String> caveats() {
    return caveats;
  }

  /** One that has another caveat; needs no key. */
  Macaroon with(String caveat) {
    List<String> more = new ArrayList<>(caveats);
    more.add(caveat);
    return new Macaroon(location, identifier, more, mac(signature, caveat.getBytes(StandardCharsets.UTF_8)));
  }

  /** Whether it was made with a root key, and none of its caveats is missing. */
  boolean isOf(byte[] rootKey) {
    byte[] expected = first(identifier, rootKey);
    for (String caveat : caveats) {
      expected = mac(expected, caveat.getBytes(StandardCharsets.UTF_8));
    }
    return MessageDigest.isEqual(expected, signature);
  }

  /** The text form: base64 for URLs, without padding. */
  String text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(VERSION);
    field(out, LOCATION, location.getBytes(StandardCharsets.UTF_8));
    field(out, IDENTIFIER, identifier.getBytes(StandardCharsets.UTF_8));
    out.write(END);
    for (String caveat : caveats) {
      field(out, IDENTIFIER, caveat.getBytes(StandardCharsets.UTF_8));
      out.write(END);
    }
    out.write(END);
    field(out, SIGNATURE, signature);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(out.toByteArray());
  }

  private static void field(ByteArrayOutputStream out, int type, byte[] content) {
    out.write(type);
    int length = content.length;
    while (length >= 0x80) {
      out.write(0x80 | (length & 0x7f));
      length >>>= 7;
    }
    out.write(length);
    out.writeBytes(content);
  }

  /**
   * Reads the text form.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is another form
   */
  static Macaroon parse(String text) {
    if (text.length() > MOST_CHARACTERS) {
      throw malformed("has " + text.length() + " characters; allowed are " + MOST_CHARACTERS);
    }
    ByteBuffer in;
    try {
      in = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw malformed("is not base64");
    }
    if (next(in) != VERSION) {
      throw malformed("has another version than " + VERSION);
    }
    int type = next(in);
    String location = "";
    if (type == LOCATION) {
      location = string(content(in));
      type = next(in);
    }
    String identifier = string(expected(in, type, IDENTIFIER));
    end(in);
    List<String> caveats = new ArrayList<>();
    for (type = next(in); type != END; type = next(in)) {
      if (caveats.size() == MOST_CAVEATS) {
        throw malformed("has more than " + MOST_CAVEATS + " caveats");
      }
      caveats.add(string(expected(in, type, IDENTIFIER)));
      end(in);
    }
    byte[] signature = expected(in, next(in), SIGNATURE);
    if (signature.length != HASH_BYTES || in.hasRemaining()) {
      throw malformed("does not end with a signature");
    }
    return new Macaroon(location, identifier, caveats, signature);
  }

  private static int next(ByteBuffer in) {
    if (!in.hasRemaining()) {
      throw malformed("ends early");
    }
    return in.get() & 0xff;
  }

  private static void end(ByteBuffer in) {
    if (next(in) != END) {
      throw malformed("has a part that is not supported, such as a caveat of a third party");
    }
  }

  private static byte[] expected(ByteBuffer in, int type, int expected) {
    if (type != expected) {
      throw malformed("has a part that is not supported");
    }
    return content(in);
  }

  private static byte[] content(ByteBuffer in) {
    int length = 0;
    int shift = 0;
    int part;
    do {
      part = next(in);
      length |= (part & 0x7f) << shift;
      shift += 7;
    } while (part >= 0x80 && shift < 21);
    if (part >= 0x80 || length > in.remaining()) {
      throw malformed("ends early");
    }
    byte[] content = new byte[length];
    in.get(content);
    return content;
  }

  private static String string(byte[] utf8) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw malformed("is not UTF-8");
    }
  }

  private static RnsException malformed(String why) {
    return new RnsException(RnsError.INVALID_REQUEST, "the ticket " + why);
  }
}
