package io.rns.client.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Requests other than SOAP messages: of operators, among the servers of a group, and for streams of changes. Safe for
 * use by many threads.
 *
 * <p>The only user of {@code java.net.http}. These requests need what {@link HttpEndpoint} does not have: bodies from
 * and to files, responses that do not end, and calls that end when their thread is interrupted. They are rare, so the
 * processor time for which {@link HttpEndpoint} avoids it does not matter.
 */
public final class HttpCalls implements AutoCloseable {
  private static final int OK = 200;

  private final HttpClient client;

  /** Calls over HTTP/1.1: servers do not take an upgrade for granted. */
  public HttpCalls(Duration connectTimeout) {
    this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(connectTimeout).build();
  }

  /** The body of a request. */
  public sealed interface Body {
    /** A request without one. */
    Body NONE = new Text("");

    /** A text, sent as UTF-8; none if it is empty. */
    record Text(String text) implements Body {}

    /** The content of a file. */
    record File(Path file) implements Body {}
  }

  /**
   * A request.
   *
   * @param timeout until the response begins
   */
  public record Call(String method, URI address, Map<String, String> headers, Body body, Duration timeout) {
    private HttpRequest request() throws IOException {
      HttpRequest.Builder request = HttpRequest.newBuilder(address).method(method, publisher()).timeout(timeout);
      headers.forEach(request::header);
      return request.build();
    }

    private HttpRequest.BodyPublisher publisher() throws IOException {
      if (body instanceof Body.File content) {
        return HttpRequest.BodyPublishers.ofFile(content.file());
      }
      String text = ((Body.Text) body).text();
      return text.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(text);
    }
  }

  /** A response. */
  public record Reply<T>(int status, Map<String, List<String>> headers, T body) {
    /** The first header of a name, in any case. */
    public Optional<String> header(String name) {
      return headers.getOrDefault(name, List.of()).stream().findFirst();
    }
  }

  /**
   * Sends a request and reads the response into memory.
   *
   * @throws IOException if there is no response
   */
  public Reply<byte[]> send(Call call) throws IOException, InterruptedException {
    return send(call, BodyHandlers.ofByteArray());
  }

  /**
   * Sends a request and returns as soon as the response begins; to close its body ends the connection.
   *
   * @throws IOException if there is no response
   */
  public Reply<InputStream> stream(Call call) throws IOException, InterruptedException {
    return send(call, BodyHandlers.ofInputStream());
  }

  /**
   * Sends a request and writes the response to a file, which is overwritten; to memory unless the status is 200.
   *
   * @return with an empty body if it is in the file
   * @throws IOException if there is no response, or the file cannot be written
   */
  public Reply<byte[]> download(Call call, Path into) throws IOException, InterruptedException {
    return send(
        call,
        head -> head.statusCode() == OK
            ? BodySubscribers.mapping(BodySubscribers.ofFile(into), file -> new byte[0])
            : BodySubscribers.ofByteArray());
  }

  private <T> Reply<T> send(Call call, HttpResponse.BodyHandler<T> body) throws IOException, InterruptedException {
    HttpResponse<T> response = client.send(call.request(), body);
    return new Reply<>(response.statusCode(), response.headers().map(), response.body());
  }

  /** Waits for running calls. On Java 17 the client's thread ends when it is no longer referred to. */
  @Override
  public void close() {
    if ((Object) client instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) {
        throw new IllegalStateException("the HTTP client cannot be closed", e);
      }
    }
  }
}
