package io.rns.client.http;

import io.rns.client.call.Deadline;
import io.rns.client.call.Ticker;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.FileEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;

/**
 * Requests other than SOAP messages: of operators, among the servers of a group, and for streams of changes. Safe for
 * use by many threads.
 *
 * <p>These requests need what {@link HttpEndpoint} does not have: bodies from and to files, responses that do not end,
 * and calls that end when their thread is interrupted. A host of several addresses is reached as there.
 */
public final class HttpCalls implements AutoCloseable {
  private static final int OK = 200;

  private final Duration connectTimeout;
  private final Function<URI, Optional<String>> authorization;
  private final HostLookup.Resolver resolver;
  private final TlsTrust trust;
  private final DeadlineWatch watch = new DeadlineWatch(Ticker.SYSTEM);
  private final Map<String, CallHost> hosts = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Calls without connections yet.
   *
   * @param connectTimeout to resolve the host and connect to one of its addresses
   * @param trust the certificates accepted from HTTPS servers
   */
  public HttpCalls(Duration connectTimeout, TlsTrust trust) {
    this(connectTimeout, trust, address -> Optional.empty(), HostLookup.Resolver.SYSTEM);
  }

  /**
   * The same with a credential.
   *
   * @param authorization the value of the {@code Authorization} header of a request to an address, which must be that
   *        of a server that may see it; throws {@link RnsException} to have the request not sent
   */
  public HttpCalls(Duration connectTimeout, TlsTrust trust, Function<URI, Optional<String>> authorization) {
    this(connectTimeout, trust, authorization, HostLookup.Resolver.SYSTEM);
  }

  /** The same, with what finds the addresses of hosts. */
  HttpCalls(Duration connectTimeout, TlsTrust trust, HostLookup.Resolver resolver) {
    this(connectTimeout, trust, address -> Optional.empty(), resolver);
  }

  private HttpCalls(
      Duration connectTimeout, TlsTrust trust, Function<URI, Optional<String>> authorization,
      HostLookup.Resolver resolver) {
    this.connectTimeout = connectTimeout;
    this.trust = trust;
    this.authorization = authorization;
    this.resolver = resolver;
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
    private ClassicHttpRequest request() {
      ClassicHttpRequest request = new BasicClassicHttpRequest(method, address);
      request.setHeader(HttpHeaders.HOST, address.getRawAuthority());
      headers.forEach(request::setHeader);
      Optional<HttpEntity> entity = entity();
      entity.ifPresent(request::setEntity);
      if (entity.isPresent() || !method.equals("GET")) {
        request.setHeader(HttpHeaders.CONTENT_LENGTH, entity.map(HttpEntity::getContentLength).orElse(0L));
      }
      return request;
    }

    private Optional<HttpEntity> entity() {
      if (body instanceof Body.File content) {
        return Optional.of(new FileEntity(content.file().toFile(), null));
      }
      byte[] text = ((Body.Text) body).text().getBytes(StandardCharsets.UTF_8);
      return text.length == 0 ? Optional.empty() : Optional.of(new ByteArrayEntity(text, null));
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
    return interruptibly(() -> {
      Reply<InputStream> reply = exchange(call);
      return new Reply<>(reply.status(), reply.headers(), inMemory(reply));
    });
  }

  /**
   * Sends a request and returns as soon as the response begins; to close its body ends the connection, unless it was
   * read to its end.
   *
   * @throws IOException if there is no response
   */
  public Reply<InputStream> stream(Call call) throws IOException, InterruptedException {
    return interruptibly(() -> exchange(call));
  }

  /**
   * Sends a request and writes the response to a file, which is overwritten and keeps its permissions; to memory unless
   * the status is 200.
   *
   * @return with an empty body if it is in the file
   * @throws IOException if there is no response, or the file cannot be written
   */
  public Reply<byte[]> download(Call call, Path into) throws IOException, InterruptedException {
    return interruptibly(() -> {
      Reply<InputStream> reply = exchange(call);
      return new Reply<>(reply.status(), reply.headers(), reply.status() == OK ? saved(reply, into) : inMemory(reply));
    });
  }

  private static byte[] inMemory(Reply<InputStream> reply) throws IOException {
    try (InputStream body = reply.body()) {
      return body.readAllBytes();
    }
  }

  private static byte[] saved(Reply<InputStream> reply, Path into) throws IOException {
    // Not Files.copy, which would replace the file by one that others may read.
    try (InputStream body = reply.body(); OutputStream file = Files.newOutputStream(into)) {
      long unused = body.transferTo(file);
      return new byte[0];
    }
  }

  /** A call or a part of it. */
  private interface Exchange<T> {
    T run() throws IOException;
  }

  private static <T> T interruptibly(Exchange<T> exchange) throws IOException, InterruptedException {
    try {
      return exchange.run();
    } catch (IOException e) {
      if (Thread.interrupted()) {
        InterruptedException interrupted = new InterruptedException("interrupted while waiting for a response");
        interrupted.initCause(e);
        throw interrupted;
      }
      throw e;
    }
  }

  private Reply<InputStream> exchange(Call call) throws IOException {
    CallHost host = host(call.address());
    ClassicHttpRequest request = call.request();
    authorization(call.address()).ifPresent(value -> request.setHeader(HttpHeaders.AUTHORIZATION, value));
    CallHost.Exchange exchange = host.exchange(request, Deadline.in(call.timeout(), Ticker.SYSTEM));
    ClassicHttpResponse response = exchange.response();
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (Header header : response.getHeaders()) {
      headers.computeIfAbsent(header.getName(), name -> new ArrayList<>()).add(header.getValue());
    }
    InputStream content =
        response.getEntity() == null ? InputStream.nullInputStream() : response.getEntity().getContent();
    return new Reply<>(response.getCode(), headers, new CallBody(content, host, exchange.connection()));
  }

  private Optional<String> authorization(URI address) throws IOException {
    try {
      return authorization.apply(address);
    } catch (RnsException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private CallHost host(URI address) throws IOException {
    if (address.getHost() == null) {
      throw new IOException("'" + address + "' names no host");
    }
    CallHost host = hosts.computeIfAbsent(
        address.getScheme() + "://" + address.getRawAuthority(),
        name -> new CallHost(address, connectTimeout, resolver, watch, trust));
    if (closed) {
      host.close();
    }
    return host;
  }

  /** Ends running calls and all connections. */
  @Override
  public void close() {
    closed = true;
    hosts.values().forEach(CallHost::close);
    watch.close();
  }
}
