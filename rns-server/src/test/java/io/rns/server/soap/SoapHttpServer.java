package io.rns.server.soap;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rns.api.Caller;
import io.rns.api.Hop;
import io.rns.api.NameService;
import io.rns.identity.CallerPassing;
import io.rns.identity.PassedOn;
import io.rns.pool.PoolService;
import io.rns.server.overload.OverloadSettings;
import io.rns.server.overload.RequestAdmission;
import io.rns.wire.SoapVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;

/** Both entrances of an endpoint at one address of this machine, as a container would have them. */
public final class SoapHttpServer implements AutoCloseable {
  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SoapEndpoint endpoint;
  private final @Nullable CallerPassing passing;

  /** Serves a namespace. */
  public SoapHttpServer(NameService service) {
    this(service, null, () -> SoapEndpoint.NOBODY);
  }

  /** Serves a namespace to anonymous callers, and to those whom other servers pass on. */
  public SoapHttpServer(NameService service, CallerPassing passing) {
    this(service, null, () -> SoapEndpoint.NOBODY, passing);
  }

  /** Serves a namespace and pools. */
  public SoapHttpServer(NameService service, @Nullable PoolService pools) {
    this(service, pools, () -> SoapEndpoint.NOBODY);
  }

  /** The same, by a server that explains requests. */
  public SoapHttpServer(NameService service, @Nullable PoolService pools, Supplier<Hop.Self> self) {
    this(service, pools, self, null);
  }

  private SoapHttpServer(
      NameService service, @Nullable PoolService pools, Supplier<Hop.Self> self, @Nullable CallerPassing passing) {
    this.passing = passing;
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    SoapSettings settings = SoapSettings.DEFAULT;
    endpoint =
        new SoapEndpoint(new SoapEndpoint.Parts(
            service,
            pools,
            new SoapSettings(
                Optional.of(url()), settings.bodyTimeout(), settings.largeRequests(), settings.clock()),
            Waits.NEVER, new RequestAdmission(OverloadSettings.OFF, System::nanoTime), () -> SoapEndpoint.NO_SERVERS,
            self, null, new WrittenPages(0)));
    http.setExecutor(threads);
    http.createContext("/rns/services/rns", this::serve);
    http.start();
  }

  /** The address of the server. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/rns");
  }

  /** The address of its SOAP endpoint. */
  String url() {
    return address() + "/services/rns";
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] request = exchange.getRequestBody().readAllBytes();
      byte[] answer = Entrances.fast(endpoint, request, caller(exchange, request));
      if (answer == null) {
        answer = Entrances.jaxWs(endpoint, request, SoapVersion.V1_1);
      }
      boolean fault = new String(answer, StandardCharsets.UTF_8).contains("<faultcode>");
      exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=utf-8");
      exchange.sendResponseHeaders(fault ? 500 : 200, answer.length);
      exchange.getResponseBody().write(answer);
    } catch (XMLStreamException e) {
      throw new IOException(e);
    }
  }

  private Caller caller(HttpExchange exchange, byte[] request) {
    String header = exchange.getRequestHeaders().getFirst(CallerPassing.HEADER);
    if (passing == null || header == null) {
      return Caller.ANONYMOUS;
    }
    PassedOn.Known passed = passing.take(header, address().getAuthority()::equals);
    CallerPassing.checkBody(passed, request, request.length);
    return passed.caller();
  }

  @Override
  public void close() {
    http.stop(0);
    threads.close();
  }
}
