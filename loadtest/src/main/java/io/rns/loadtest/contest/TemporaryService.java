package io.rns.loadtest.contest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.client.CredentialFile;
import io.rns.client.CredentialSource;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
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

/**
 * A service of one server on a free port of 127.0.0.1, with a data directory of its own. For one thread.
 *
 * @param pids of GlassFish and the database
 */
record TemporaryService(Launcher launcher, Scratch scratch, URI url, List<Long> pids) implements AutoCloseable {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Duration MOST = Duration.ofMinutes(10);

  /** Starts one; returns when it serves. */
  static TemporaryService start(Path script, List<String> options, Map<String, String> environment)
      throws InterruptedException {
    Launcher launcher = new Launcher(script);
    Scratch scratch = Scratch.of("rns-service");
    List<String> arguments =
        new ArrayList<>(List.of("up", "--port=0", "--detach", "--json", "--data=" + scratch.path()));
    arguments.addAll(options);
    try {
      JsonNode state = MAPPER.readTree(checked(launcher.run(arguments, environment, MOST)).out());
      List<Long> pids = new ArrayList<>();
      for (JsonNode process : state.path("processes")) {
        if (!process.path("name").asText().contains("supervisor")) {
          pids.add(process.path("pid").asLong());
        }
      }
      return new TemporaryService(launcher, scratch, URI.create(state.path("url").asText()), pids);
    } catch (RnsException | InterruptedException e) {
      stop(launcher, scratch);
      throw e;
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      stop(launcher, scratch);
      throw new RnsException(RnsError.UNAVAILABLE, "'rns up' prints no state: " + e.getMessage(), e);
    }
  }

  private static Launcher.Ended checked(Launcher.Ended ended) {
    if (ended.code() != 0) {
      throw new RnsException(RnsError.UNAVAILABLE, "a command of ./rns has failed: " + ended.lastWords());
    }
    return ended;
  }

  /** What a command prints that is run on its data directory. */
  String run(String... arguments) throws InterruptedException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--server=" + url, "--data=" + scratch.path()));
    return checked(launcher.run(all, Map.of(), MOST)).out().strip();
  }

  private TlsTrust trust() {
    Path authority = scratch.path().resolve("tls/ca.pem");
    return Files.exists(authority) ? TlsTrust.file(authority) : TlsTrust.SYSTEM;
  }

  /** A client as the administrator, if there is one. */
  RnsConnection client() {
    Path administrator = scratch.path().resolve("administrator");
    CredentialSource source =
        Files.exists(administrator)
            ? CredentialFile.account(administrator)
            : CredentialSource.NONE;
    return RnsClient.builder().server(url).trust(trust()).credentials(source).build();
  }

  /** Where messages go, with a bearer token or without. */
  HttpTarget target(Optional<String> token) {
    return HttpTarget.of(RnsClient.soapEndpoint(url).toString(), trust(), token.map(value -> "Bearer " + value));
  }

  private static void stop(Launcher launcher, Scratch scratch) {
    Cleanup.run(() -> {
      Launcher.Ended unused = checked(launcher.run(List.of("down", "--data=" + scratch.path()), Map.of(), MOST));
      Io.run("removing what the service left", scratch::close);
    });
  }

  /** Stops it and removes its directory; also for an interrupted thread. */
  @Override
  public void close() {
    stop(launcher, scratch);
  }
}
