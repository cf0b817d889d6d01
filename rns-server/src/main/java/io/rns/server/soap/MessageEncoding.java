package io.rns.server.soap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The character encoding of a message, as RFC 7303 finds it: by the byte order mark, else by the charset of the content
 * type, else by the XML declaration, else UTF-8. Messages of other encodings are made UTF-8, so that everything behind
 * reads the same.
 */
final class MessageEncoding {
  /** Maximum length of a declaration. */
  private static final int DECLARATION_BYTES = 256;

  private static final int CHARS = 8_192;

  private static final Pattern DECLARED =
      Pattern.compile("^<\\?xml\\s[^>]*?\\sencoding\\s*=\\s*[\"']([^\"'>]*)[\"']");

  private MessageEncoding() {}

  /** Whether a message is UTF-8 as it is; false of some that are, too. */
  static boolean isPlain(SoapScratch message, @Nullable String charset) {
    if (message.decoded || message.length < 4) {
      return true;
    }
    byte first = message.body[0];
    // "<", and what does not begin the declaration of an encoding; or it does not count.
    return first == '<' && message.body[1] != 0 && (charset == null ? message.body[1] != '?' : isUtf8(charset));
  }

  /**
   * Makes a message UTF-8, without a byte order mark.
   *
   * @param charset that of the content type, or null
   * @throws RnsException {@link RnsError#MALFORMED_MESSAGE} if the encoding is not known or the message is not of it,
   *         {@link RnsError#LIMIT_EXCEEDED} if the message is too long as UTF-8
   */
  static void toUtf8(SoapScratch message, @Nullable String charset) {
    if (isPlain(message, charset)) {
      return;
    }
    message.decoded = true;
    Mark mark = Mark.of(message);
    Charset encoding = mark.charset != null ? mark.charset : unmarked(message, charset);
    if (!encoding.equals(UTF_8)) {
      message.body = recoded(new ByteArrayInputStream(message.body, mark.bytes, message.length - mark.bytes), encoding);
      message.length = message.body.length;
    } else if (mark.bytes > 0) {
      message.length -= mark.bytes;
      System.arraycopy(message.body, mark.bytes, message.body, 0, message.length);
    }
  }

  /** The encoding of a message without a byte order mark. */
  private static Charset unmarked(SoapScratch message, @Nullable String charset) {
    String name = charset == null ? declared(message) : charset;
    if (isUtf8(name)) {
      return UTF_8;
    }
    if (name.equalsIgnoreCase("utf-16")) {
      return wide(message);
    }
    try {
      return Charset.forName(name);
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      throw new RnsException(RnsError.MALFORMED_MESSAGE, "the encoding '" + name + "' of the message is not known", e);
    }
  }

  /** UTF-16 as the first character, which is "&lt;", shows it. */
  private static Charset wide(SoapScratch message) {
    if (message.body[0] != 0 && message.body[1] != 0) {
      throw new RnsException(RnsError.MALFORMED_MESSAGE, "the message is declared as UTF-16 but is not");
    }
    return message.body[0] == 0 ? UTF_16BE : UTF_16LE;
  }

  /** What the message itself says. */
  private static String declared(SoapScratch message) {
    if (message.body[0] == 0 || message.body[1] == 0) {
      return "utf-16";
    }
    Matcher declared =
        DECLARED.matcher(new String(message.body, 0, Math.min(message.length, DECLARATION_BYTES), ISO_8859_1));
    return declared.find() ? declared.group(1) : "utf-8";
  }

  private static boolean isUtf8(String name) {
    return name.equalsIgnoreCase("utf-8") || name.equalsIgnoreCase("utf8");
  }

  private static byte[] recoded(InputStream bytes, Charset encoding) {
    ByteArrayOutputStream utf8 = new ByteArrayOutputStream();
    char[] chars = new char[CHARS];
    try (Reader in = new InputStreamReader(bytes, encoding.newDecoder());
        Writer out = new OutputStreamWriter(utf8, UTF_8)) {
      for (int count = in.read(chars); count >= 0; count = in.read(chars)) {
        out.write(chars, 0, count);
        Limits.check("the request as UTF-8", utf8.size(), Limits.REQUEST_BYTES, "bytes");
      }
    } catch (IOException e) {
      throw new RnsException(RnsError.MALFORMED_MESSAGE, "the message is not " + encoding + ": " + e.getMessage(), e);
    }
    return utf8.toByteArray();
  }

  /** A byte order mark. */
  private enum Mark {
    NONE(null, 0), OF_UTF_8(UTF_8, 3), BIG_ENDIAN(UTF_16BE, 2), LITTLE_ENDIAN(UTF_16LE, 2);

    private final @Nullable Charset charset;
    private final int bytes;

    Mark(@Nullable Charset charset, int bytes) {
      this.charset = charset;
      this.bytes = bytes;
    }

    static Mark of(SoapScratch message) {
      int start = (message.body[0] & 0xff) << 16 | (message.body[1] & 0xff) << 8 | (message.body[2] & 0xff);
      if (start == 0xefbbbf) {
        return OF_UTF_8;
      }
      return switch (start >> 8) {
        case 0xfeff -> BIG_ENDIAN;
        case 0xfffe -> LITTLE_ENDIAN;
        default -> NONE;
      };
    }
  }
}
