package io.rns.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads URLs as they were sent. Containers drop parameters that they cannot decode, cut names at {@code ;} and take
 * {@code %2F} for a separator; here whatever cannot be decoded is refused, and everything else stays as it is.
 */
public final class RequestUrl {
  private static final String UNRESERVED = "-._~";

  private final Map<String, List<String>> parameters;

  private RequestUrl(Map<String, List<String>> parameters) {
    this.parameters = parameters;
  }

  /**
   * The path behind that of the servlet. Empty components, as at the end of {@code /names/a/}, count for nothing.
   *
   * @throws RnsException {@link RnsError#INVALID_PATH} or {@link RnsError#LIMIT_EXCEEDED}
   */
  public static RnsPath path(HttpServletRequest request) {
    return RnsPath.of(below(request).stream().map(EntryName::of).toList());
  }

  private static List<String> below(HttpServletRequest request) {
    List<String> all = components(request.getRequestURI());
    List<String> prefix = components(request.getContextPath() + request.getServletPath());
    if (all.size() < prefix.size() || !all.subList(0, prefix.size()).equals(prefix)) {
      throw new RnsException(RnsError.INVALID_PATH, "the path of the URL has components '.' or '..'");
    }
    return all.subList(prefix.size(), all.size());
  }

  private static List<String> components(String path) {
    List<String> components = new ArrayList<>();
    for (int from = 0; from <= path.length();) {
      int slash = path.indexOf('/', from);
      int to = slash < 0 ? path.length() : slash;
      if (to > from) {
        components.add(decoded(path.substring(from, to), RnsError.INVALID_PATH));
      }
      from = to + 1;
    }
    return components;
  }

  /**
   * The parameters of the query.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if one cannot be decoded
   */
  public static RequestUrl of(HttpServletRequest request) {
    String query = request.getQueryString();
    Map<String, List<String>> parameters = new HashMap<>();
    for (int from = 0; query != null && from < query.length();) {
      int and = query.indexOf('&', from);
      int to = and < 0 ? query.length() : and;
      String pair = query.substring(from, to).replace('+', ' ');
      int equals = pair.indexOf('=');
      String name = decoded(equals < 0 ? pair : pair.substring(0, equals), RnsError.INVALID_REQUEST);
      String value = equals < 0 ? "" : decoded(pair.substring(equals + 1), RnsError.INVALID_REQUEST);
      parameters.computeIfAbsent(name, absent -> new ArrayList<>(1)).add(value);
      from = to + 1;
    }
    return new RequestUrl(parameters);
  }

  /** Whether a request has a form: a container would take parameters from its body, beside those of the address. */
  public static boolean hasForm(HttpServletRequest request) {
    String type = request.getContentType();
    return type != null
        && Stream.of("application/x-www-form-urlencoded", "multipart/form-data")
            .anyMatch(form -> type.strip().regionMatches(true, 0, form, 0, form.length()));
  }

  /** The first value of a parameter; null if it is not there. */
  public @Nullable String get(String name) {
    List<String> values = parameters.get(name);
    return values == null ? null : values.getFirst();
  }

  /** All values of a parameter, in order. */
  public List<String> all(String name) {
    return parameters.getOrDefault(name, List.of());
  }

  /**
   * The first value of a parameter as a number.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is none
   */
  public int number(String name, int absent) {
    String value = get(name);
    try {
      return value == null ? absent : Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "parameter '" + name + "' is '" + value + "', not a number", e);
    }
  }

  /** Whether a parameter is there, with a value or without. */
  public boolean has(String name) {
    return parameters.containsKey(name);
  }

  private static String decoded(String text, RnsError otherwise) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        boolean hasTwo = i + 2 < text.length();
        int high = hasTwo ? Character.digit(text.charAt(i + 1), 16) : -1;
        int low = hasTwo ? Character.digit(text.charAt(i + 2), 16) : -1;
        if (high < 0 || low < 0) {
          throw new RnsException(otherwise, "the URL has a '%' without two hexadecimal digits after it");
        }
        bytes.write((high << 4) | low);
        i += 2;
      } else if (c < 0x100) {
        // What is not percent-encoded though it has to be comes byte by byte.
        bytes.write(c);
      } else {
        bytes.writeBytes(String.valueOf(c).getBytes(UTF_8));
      }
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
    } catch (CharacterCodingException e) {
      throw new RnsException(otherwise, "the URL has bytes that are not UTF-8", e);
    }
  }

  /** A path as the part of a URL. */
  public static String encoded(RnsPath path) {
    StringBuilder url = new StringBuilder();
    for (EntryName name : path.names()) {
      url.append('/');
      for (byte b : name.utf8()) {
        char c = (char) (b & 0xff);
        boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0);
        url.append(plain ? String.valueOf(c) : String.format("%%%02X", (int) c));
      }
    }
    return url.toString();
  }
}
