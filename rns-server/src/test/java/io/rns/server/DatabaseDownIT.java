package io.rns.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.rns.local.DatabaseProcess;
import io.rns.local.GlassFishProcess;
import io.rns.wire.HostileMessages;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The WAR in GlassFish while its database is away: at the start, and later. */
@Tag("slow")
class DatabaseDownIT {
  private static final Duration BOUND = Duration.ofMinutes(3);
  private static final Duration ANSWER_BOUND = Duration.ofSeconds(10);

  @TempDir private static Path temporary;

  private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private HttpResponse<String> get(GlassFishProcess server, String path) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(server.url("rns") + path)).timeout(ANSWER_BOUND).build(),
        BodyHandlers.ofString());
  }

  private String health(GlassFishProcess server) {
    try {
      return get(server, "/health").body();
    } catch (IOException e) {
      return e.toString();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpResponse<String> query(GlassFishProcess server, String header, String path)
      throws IOException, InterruptedException {
    byte[] message =
        HostileMessages.message(header, "<r:query><r:entry-pattern>" + path + "</r:entry-pattern></r:query>")
            .getBytes(UTF_8);
    return http.send(
        HttpRequest.newBuilder(URI.create(server.url("rns") + "/services/rns"))
            .header("Content-Type", "text/xml; charset=utf-8")
            .POST(BodyPublishers.ofByteArray(message))
            .build(),
        BodyHandlers.ofString());
  }

  @Test
  void waitsForItSaysSoAndServesOnceItIsThere() throws Exception {
    try (DatabaseProcess database = DatabaseProcess.start(DatabaseProcess.Settings.in(temporary.resolve("database")))) {
      database.kill();
      GlassFishProcess.Settings settings =
          GlassFishProcess.Settings.in(
              temporary.resolve("glassfish"), Map.of("rns", Path.of("target", "rns.war").toAbsolutePath()))
              .withEnvironment(
                  Map.of(
                      "RNS_DB_URL", database.jdbcUrl(),
                      "RNS_DB_USER", database.user(),
                      "RNS_DB_PASSWORD", database.password(),
                      "RNS_DB_CONNECTION_TIMEOUT", "1000",
                      "RNS_ACCESS", "open"));
      try (GlassFishProcess server = GlassFishProcess.start(settings)) {
        AtomicReference<String> seen = new AtomicReference<>("");
        assertThatCode(
            () -> server.waitUntil(
                () -> {
                  seen.set(health(server));
                  return seen.get().startsWith("waiting for the database");
                }, BOUND))
            .as("its health is: %s", seen).doesNotThrowAnyException();
        assertThat(get(server, "/health").statusCode()).isEqualTo(503);
        assertThat(get(server, "/status").body())
            .contains("\"role\":\"starting\"", "not serving")
            .doesNotContain("jdbc", "'" + database.user() + "'", ":" + database.port());
        for (String header : new String[]{"", "<f:foreign xmlns:f='urn:foreign'/>"}) {
          HttpResponse<String> refused = query(server, header, "/");
          assertThat(refused.statusCode()).isEqualTo(500);
          assertThat(refused.body()).contains("UNAVAILABLE", "the service is starting");
        }

        database.restart();
        Eventually.until("it serves", BOUND, () -> get(server, "/health").statusCode() == 200);
        HttpResponse<String> served = query(server, "", "/");
        assertThat(served.statusCode()).as(served.body()).isEqualTo(200);

        database.kill();
        HttpResponse<String> cold = query(server, "", "/never-asked-for");
        assertThat(cold.statusCode()).isEqualTo(500);
        assertThat(cold.body()).contains("UNAVAILABLE", "the database cannot be reached");
        assertThat(get(server, "/health").statusCode()).isEqualTo(503);
        database.restart();
        Eventually.until("it serves again", BOUND, () -> get(server, "/health").statusCode() == 200);
      }
    }
  }
}
