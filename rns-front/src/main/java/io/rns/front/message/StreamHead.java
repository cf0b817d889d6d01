package io.rns.front.message;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP/2 request as one of HTTP/1.1. Refuses fields that would mean something else there: line ends,
 * white space in a path, fields of a connection, a second length or host (RFC 9113, sections 8.2, 8.3 and 10.3).
 *
 * @param head all of it, with the empty line
 * @param toHead whether the response has no body
 * @param length of the body, in bytes; -1 if the client does not say it: the body of a request that has one is chunked
 *        then
 */
@SuppressWarnings("ArrayRecordComponent") // never changed, never compared
public record StreamHead(byte[] head, boolean toHead, long length) {
  private static final Set<String> PSEUDO = Set.of(":method", ":scheme", ":path", ":authority");
  private static final Set<String> OF_CONNECTIONS =
      Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade");
  private static final Set<String> SINGLE = Set.of("content-length", "host");

  /**
   * Reads a head.
   *
   * @param fields in the order of the client, pseudo-header fields first
   * @param ended whether the request has no body
   * @throws RefusedMessage if it is malformed; the stream has to be reset
   */
  public static StreamHead read(
      Iterable<? extends Map.Entry<? extends CharSequence, ? extends CharSequence>> fields, boolean ended)
      throws RefusedMessage {
    Map<String, String> first = new HashMap<>();
    StringBuilder lines = new StringBuilder(512);
    StringBuilder cookies = new StringBuilder();
    boolean regular = false;
    for (Map.Entry<? extends CharSequence, ? extends CharSequence> field : fields) {
      String name = field.getKey().toString();
      String value = field.getValue().toString();
      boolean pseudo = name.startsWith(":");
      boolean repeated = first.putIfAbsent(name, value) != null;
      require(pseudo ? PSEUDO.contains(name) && !regular && !repeated : isName(name), "its fields are invalid");
      require(!repeated || !SINGLE.contains(name), "a field is repeated");
      require(isValue(value), "a field has a control character");
      require(!OF_CONNECTIONS.contains(name), "it has a field of a connection");
      require(!name.equals("te") || value.equals("trailers"), "it has a field of a connection");
      regular |= !pseudo;
      if (name.equals("cookie")) {
        cookies.append(cookies.isEmpty() ? "" : "; ").append(value);
      } else if (!pseudo && !name.equals("host")) {
        line(lines, name, value);
      }
    }
    if (!cookies.isEmpty()) {
      line(lines, "cookie", cookies.toString());
    }
    long length = length(first.get("content-length"));
    require(!ended || length <= 0, "its body is missing");
    if (!ended && length < 0) {
      line(lines, "transfer-encoding", "chunked");
    }
    String method = first.getOrDefault(":method", "");
    String head = requestLine(method, first) + lines + "\r\n";
    return new StreamHead(head.getBytes(StandardCharsets.ISO_8859_1), method.equals("HEAD"), length);
  }

  /**
   * Checks how much of the body has arrived.
   *
   * @param bytes all so far
   * @throws RefusedMessage if it is more than the client has announced, or less when it has ended
   */
  public void check(long bytes, boolean ended) throws RefusedMessage {
    require(length < 0 || bytes == length || (bytes < length && !ended), "its body has another length");
  }

  private static String requestLine(String method, Map<String, String> first) throws RefusedMessage {
    String path = first.getOrDefault(":path", "");
    String host = first.getOrDefault("host", "");
    String authority = first.getOrDefault(":authority", host);
    require(HeadLines.isToken(method) && first.containsKey(":scheme"), "it has no method or scheme");
    require(isWord(path) && isWord(authority), "it has no path or authority, or white space in it");
    require(host.isEmpty() || host.equals(authority), "its host is ambiguous");
    return method + " " + path + " HTTP/1.1\r\nhost: " + authority + "\r\n";
  }

  private static void require(boolean valid, String why) throws RefusedMessage {
    if (!valid) {
      throw RefusedMessage.malformed(why);
    }
  }

  private static void line(StringBuilder lines, String name, String value) {
    lines.append(name).append(": ").append(value).append("\r\n");
  }

  private static boolean isName(String name) {
    return HeadLines.isToken(name) && name.equals(name.toLowerCase(Locale.ROOT));
  }

  private static boolean isValue(String value) {
    boolean valid = true;
    for (int i = 0; i < value.length(); i++) {
      char each = value.charAt(i);
      valid &= (each >= ' ' || each == '\t') && each != 127 && each < 256;
    }
    return valid;
  }

  private static boolean isWord(String text) {
    boolean valid = !text.isEmpty();
    for (int i = 0; i < text.length(); i++) {
      valid &= text.charAt(i) > ' ';
    }
    return valid;
  }

  private static long length(@Nullable String value) throws RefusedMessage {
    if (value == null) {
      return -1;
    }
    require(HeadLines.NUMBER.matcher(value).matches(), "its length is no decimal number");
    return Long.parseLong(value);
  }

  /** The fields of a response for an HTTP/2 client: names in lower case, without those of the connection. */
  public static List<Map.Entry<String, String>> fields(ServerHead response) throws RefusedMessage {
    List<Map.Entry<String, String>> fields = new ArrayList<>();
    for (HeadLines.Field field : HeadLines.read(response.lines()).fields()) {
      if (!field.name().equals("transfer-encoding")) {
        fields.add(Map.entry(field.name(), field.value()));
      }
    }
    return fields;
  }
}
