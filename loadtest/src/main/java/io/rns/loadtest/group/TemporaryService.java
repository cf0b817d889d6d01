package io.rns.loadtest.group;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.rns.client.CredentialFile;
import io.rns.client.CredentialSource;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.http.ClientCertificate;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Cleanup;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.launcher.Launcher;
import io.rns.loadtest.launcher.Scratch;
import io.rns.loadtest.service.HttpTarget;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A service on this machine with a data directory of its own, started and stopped by the launcher. For one thread.
 */
public final class TemporaryService implements AutoCloseable {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final String SERVER = "GlassFish";
  private static final String DATABASE = "database";
  private static final Duration MOST = Duration.ofMinutes(10);
  private static final Duration STOP = Duration.ofMinutes(3);

  private final Launcher launcher;
  private final Scratch scratch = Scratch.of("rns-service");
  private JsonNode state = MissingNode.getInstance();

  private TemporaryService(Path script) {
    launcher = new Launcher(script);
  }

  /**
   * Starts one; returns when it serves.
   *
   * @param options of {@code ./rns up}
   * @param environment gives the variables for its processes, by the data directory
   */
  public static TemporaryService start(
      Path script, List<String> options, Function<Path, Map<String, String>> environment) throws InterruptedException {
    TemporaryService service = new TemporaryService(script);
    try {
      List<String> arguments = new ArrayList<>(List.of("up", "--detach", "--json"));
      arguments.addAll(options);
      String printed = service.launch(MOST, arguments, environment.apply(service.data()));
      service.state = Io.get("'rns up' prints no state", () -> MAPPER.readTree(printed));
      return service;
    } catch (RnsException | InterruptedException e) {
      try (service) {
        throw e;
      }
    }
  }

  /** What a command prints that is run on the data directory. */
  private String launch(Duration most, List<String> arguments, Map<String, String> environment)
      throws InterruptedException {
    List<String> all = new ArrayList<>(arguments);
    all.add("--data=" + data());
    Launcher.Ended ended = launcher.run(all, environment, most);
    if (ended.code() != 0) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "'rns " + arguments.getFirst() + "' ended with " + ended.code() + ": " + (ended.out() + ended.err()).strip());
    }
    return ended.out().strip();
  }

  /** What a command prints that asks the service. */
  public String run(String... arguments) throws InterruptedException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--server=" + url());
    return launch(MOST, all, Map.of());
  }

  Path data() {
    return scratch.path();
  }

  public URI url() {
    return URI.create(state.path("url").asText());
  }

  /** The processes of GlassFish and the database of a single server. */
  public List<Long> pids() {
    return Stream.of(SERVER, DATABASE).flatMap(name -> pids(name).stream()).toList();
  }

  /** The processes of one kind, in the order in which they were started. */
  private List<Long> pids(String name) {
    List<Long> pids = new ArrayList<>();
    for (JsonNode process : state.path("processes")) {
      if (process.path("name").asText().contains(name)) {
        pids.add(process.path("pid").asLong());
      }
    }
    return pids;
  }

  /** The processes of GlassFish, of all servers. */
  public List<Long> serverPids() {
    return pids(SERVER);
  }

  /** A front as it runs now; its URL is the same as long as the service runs. */
  public record Front(URI url, long pid) {}

  /** The only front. */
  public Front front() {
    Path file = data().resolve("run.json");
    JsonNode front = Io.get(file + " cannot be read", () -> MAPPER.readTree(file.toFile())).path("fronts").path(0);
    return new Front(URI.create(front.path("url").asText()), front.path("pid").asLong());
  }

  /**
   * What a new front has taken over.
   *
   * @param requests that a server had
   * @param requestBytes of the state of these
   */
  public record TakenOver(long requests, long requestBytes) {}

  /** Replaces the front by a new process; returns when that has all connections. */
  public TakenOver migrateFront() throws InterruptedException {
    String printed = launch(MOST, List.of("front", "migrate", "--json"), Map.of());
    JsonNode front =
        Io.get("'rns front migrate' prints no JSON", () -> MAPPER.readTree(printed)).path("fronts").path(0);
    return new TakenOver(front.path("requests").asLong(), front.path("requestBytes").asLong());
  }

  private TlsTrust trust() {
    Path authority = data().resolve("tls/ca.pem");
    return Files.exists(authority) ? TlsTrust.file(authority) : TlsTrust.SYSTEM;
  }

  /** A client as the administrator, if there is one. */
  public RnsConnection client() {
    Path administrator = data().resolve("administrator");
    CredentialSource source =
        Files.exists(administrator) ? CredentialFile.account(administrator) : CredentialSource.NONE;
    return RnsClient.builder().server(url()).trust(trust()).credentials(source).build();
  }

  /** Where messages go, with a bearer token or without. */
  public HttpTarget target(Optional<String> token) {
    return target(trust(), token.map(value -> "Bearer " + value));
  }

  /** Where messages go by HTTPS, from clients that present a certificate. */
  public HttpTarget target(ClientCertificate certificate) {
    return target(trust().presenting(certificate), Optional.empty());
  }

  private HttpTarget target(TlsTrust trust, Optional<String> authorization) {
    return HttpTarget.of(RnsClient.soapEndpoint(url()).toString(), trust, authorization);
  }

  /** Stops it and removes its directory; also for an interrupted thread. */
  @Override
  public void close() {
    Cleanup.run(() -> {
      String unused = launch(STOP, List.of("down"), Map.of());
      scratch.close();
    });
  }
}
