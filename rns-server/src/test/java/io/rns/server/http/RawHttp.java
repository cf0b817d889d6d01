package io.rns.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Requests byte for byte as they are given, which HTTP clients do not send. */
final class RawHttp {
  private static final int BOUND_MILLIS = 60_000;

  private final URI service;

  RawHttp(String service) {
    this.service = URI.create(service);
  }

  /** What came back until the connection ended. */
  record Answer(int status, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    JsonNode json() {
      try {
        return new ObjectMapper().readTree(body);
      } catch (JsonProcessingException e) {
        throw new AssertionError(status + " has no JSON: " + body, e);
      }
    }

    /** Checks that this is a problem document of RFC 9457 with a code of ours, and returns it. */
    JsonNode problem(int expected) {
      assertThat(status).as("%s %s", headers, body).isEqualTo(expected);
      assertThat(header("Content-Type")).as(body).startsWith("application/problem+json");
      JsonNode problem = json();
      assertThat(problem.path("status").asInt()).isEqualTo(expected);
      assertThat(problem.path("code").asText()).isNotEmpty();
      assertThat(problem.path("type").asText()).isNotEmpty();
      assertThat(problem.path("title").asText()).isNotEmpty();
      assertThat(problem.path("detail").asText()).isNotEmpty().isEqualTo(problem.path("message").asText());
      return problem;
    }
  }

  /** Host and port of the service. */
  String authority() {
    return service.getAuthority();
  }

  /** Sends a request with the service's own host; {@code target} is behind the URL of the service. */
  Answer send(String method, String target, String body, String... headers) throws IOException {
    return sendTo(authority(), method, target, body, headers);
  }

  /** Sends a request with any host. */
  Answer sendTo(String host, String method, String target, String body, String... headers) throws IOException {
    byte[] content = body.getBytes(UTF_8);
    StringBuilder head =
        new StringBuilder(method + " " + service.getPath() + target + " HTTP/1.1\r\nHost: " + host + "\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    head.append("Content-Length: ").append(content.length).append("\r\nConnection: close\r\n\r\n");
    try (Socket socket = new Socket(service.getHost(), service.getPort())) {
      socket.setSoTimeout(BOUND_MILLIS);
      socket.getOutputStream().write(head.toString().getBytes(UTF_8));
      socket.getOutputStream().write(content);
      return read(socket.getInputStream().readAllBytes());
    }
  }

  private static Answer read(byte[] bytes) {
    String text = new String(bytes, ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    assertThat(end).as(text).isPositive();
    List<String> lines = text.substring(0, end).lines().toList();
    Map<String, String> headers = new TreeMap<>();
    for (int i = 1; i < lines.size(); i++) {
      int colon = lines.get(i).indexOf(':');
      headers.merge(
          lines.get(i).substring(0, colon).toLowerCase(Locale.ROOT), lines.get(i).substring(colon + 1).strip(),
          (a, b) -> a + ", " + b);
    }
    String body = new String(bytes, end + 4, bytes.length - end - 4, UTF_8);
    boolean chunked = headers.getOrDefault("transfer-encoding", "").equals("chunked");
    return new Answer(Integer.parseInt(lines.get(0).substring(9, 12)), headers, chunked ? joined(body) : body);
  }

  /** The chunks of a body, of which none here has more bytes than characters. */
  private static String joined(String chunks) {
    StringBuilder body = new StringBuilder();
    for (int from = 0;;) {
      int line = chunks.indexOf("\r\n", from);
      int length = Integer.parseInt(chunks.substring(from, line), 16);
      if (length == 0) {
        return body.toString();
      }
      body.append(chunks, line + 2, line + 2 + length);
      from = line + 2 + length + 2;
    }
  }
}
