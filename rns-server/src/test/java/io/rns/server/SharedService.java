package io.rns.server;

import io.rns.api.CallContext;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.local.LocalService;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The service in GlassFish that integration tests share: started by the first of them, once for each JVM of tests, and
 * stopped with the JVM. With {@code -Drns.test.service=http://HOST:PORT/rns} it is that service instead, whose entries
 * are removed.
 */
public final class SharedService {
  /** The only origin from which browsers may call it. */
  public static final String ORIGIN = "https://app.example.org";
  /** A host name by which it may be called, besides its address. */
  public static final String HOST = "rns.example.org";

  private static final String RUNNING = System.getProperty("rns.test.service", "");
  private static @Nullable SharedService started;

  private final String url;
  private final @Nullable Path accessLog;

  private SharedService(String url, @Nullable Path accessLog) {
    this.url = url;
    this.accessLog = accessLog;
  }

  /** The service without any entries. */
  public static synchronized SharedService empty() {
    SharedService service = started;
    if (service == null) {
      service = RUNNING.isEmpty() ? start() : new SharedService(RUNNING, null);
      started = service;
    }
    service.removeEntries();
    return service;
  }

  private static SharedService start() {
    Path directory =
        Path.of("target", "shared-service-" + System.getProperty("rns.test.fork", "1") + "-" + ProcessHandle.current()
            .pid()).toAbsolutePath();
    Path accessLog = directory.resolveSibling(directory.getFileName() + ".log");
    LocalService.Settings settings =
        LocalService.Settings.in(directory).withEnvironment(
            Map.of("RNS_HOSTS", HOST, "RNS_CORS_ORIGINS", ORIGIN, "RNS_ACCESS_LOG", accessLog.toString()));
    return new SharedService(LocalService.start(settings, line -> {}).url(), accessLog);
  }

  private void removeEntries() {
    try (NameService names = RnsClient.builder().server(URI.create(url)).build()) {
      while (true) {
        List<Removal> found =
            names.list(CallContext.ANONYMOUS, ListRequest.of(Target.ROOT)).value().orThrow().entries().stream()
                .map(entry -> Removal.recursive(Target.ROOT.child(entry.binding().name()))).toList();
        if (found.isEmpty()) {
          return;
        }
        names.remove(CallContext.ANONYMOUS, new RemoveRequest(found, false)).value().forEach(Outcome::orThrow);
      }
    }
  }

  /** Where clients reach it: {@code http://127.0.0.1:PORT/rns}. */
  public String url() {
    return url;
  }

  /** The SOAP endpoint. */
  public String soapUrl() {
    return RnsClient.soapEndpoint(URI.create(url)).toString();
  }

  /** Its access log; unknown of a service that was not started here. */
  public Optional<Path> accessLog() {
    return Optional.ofNullable(accessLog);
  }
}
