package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keycloak as a process, with its database in memory, and the realm {@code rns}: as documented, with two clients more.
 */
final class KeycloakServer implements AutoCloseable {
  private static final Path UNPACKED = Path.of("target/keycloak");
  private static final Path REALM = Path.of("src/test/keycloak/realm.json");
  private static final Path DOCUMENTED = Path.of("../docs/examples");
  private static final String PASSWORD = UUID.randomUUID().toString();
  private static final int OK = 200;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final String url;

  KeycloakServer(Path log) throws IOException {
    int port = Ports.free();
    url = "http://127.0.0.1:" + port;
    ProcessBuilder builder =
        new ProcessBuilder(
            home().resolve("bin/kc.sh").toAbsolutePath().toString(), "start-dev", "--db=dev-mem",
            "--http-host=127.0.0.1", "--http-port=" + port, "--hostname=" + url, "--cache=local")
            .redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(
        Map.of(
            "KC_BOOTSTRAP_ADMIN_USERNAME", "admin", "KC_BOOTSTRAP_ADMIN_PASSWORD", PASSWORD, "JAVA_HOME",
            System.getProperty("java.home"), "JAVA_OPTS_KC_HEAP", "-Xms64m -Xmx512m", "JAVA_OPTS_APPEND",
            "-XX:TieredStopAtLevel=1"));
    process = builder.start();
    try {
      Eventually.holds("Keycloak answers", () -> {
        assertThat(process.isAlive()).as(() -> "Keycloak runs: " + said(log)).isTrue();
        return answers();
      });
      make("/admin/realms", Files.readString(REALM));
      make("/admin/realms/rns/client-scopes", Files.readString(DOCUMENTED.resolve("keycloak-scope.json")));
      make("/admin/realms/rns/client-scopes", Files.readString(DOCUMENTED.resolve("keycloak-read-scope.json")));
      String client = Files.readString(DOCUMENTED.resolve("keycloak-client.json"));
      make("/admin/realms/rns/clients", client);
      make(
          "/admin/realms/rns/clients",
          client.replace("\"clientId\": \"rns\"", "\"clientId\": \"short\"")
              .replace("\"attributes\": {", "\"attributes\": { \"access.token.lifespan\": \"9\","));
      make(
          "/admin/realms/rns/clients",
          client.replace("\"clientId\": \"rns\"", "\"clientId\": \"other\"")
              .replace("[ \"basic\", \"rns\" ]", "[ \"basic\" ]"));
    } catch (RuntimeException | Error | IOException e) {
      close();
      throw e;
    }
  }

  private static Path home() throws IOException {
    try (Stream<Path> found = Files.list(UNPACKED)) {
      return found.filter(path -> Files.isDirectory(path.resolve("bin"))).findFirst()
          .orElseThrow(() -> new IOException("no Keycloak in " + UNPACKED));
    }
  }

  private static String said(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private boolean answers() {
    try {
      return http.send(
          HttpRequest.newBuilder(URI.create(url + "/realms/master")).build(),
          HttpResponse.BodyHandlers.discarding()).statusCode() == OK;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The realm, as its tokens name it. */
  String issuer() {
    return url + "/realms/rns";
  }

  private void make(String where, String json) {
    HttpResponse<String> made = send("POST", where, json);
    assertThat(made.statusCode()).as(json + "\n" + made.body()).isEqualTo(201);
  }

  /** A call of the administration. */
  private HttpResponse<String> send(String method, String path, String json) {
    try {
      String form =
          Stream.of("grant_type=password", "client_id=admin-cli", "username=admin", "password=" + encoded(PASSWORD))
              .collect(Collectors.joining("&"));
      JsonNode token =
          new ObjectMapper().readTree(
              http.send(
                  HttpRequest.newBuilder(URI.create(url + "/realms/master/protocol/openid-connect/token"))
                      .header("Content-Type", "application/x-www-form-urlencoded")
                      .POST(HttpRequest.BodyPublishers.ofString(form)).build(),
                  HttpResponse.BodyHandlers.ofString()).body());
      return http.send(
          HttpRequest.newBuilder(URI.create(url + path)).header("Content-Type", "application/json")
              .header("Authorization", "Bearer " + token.path("access_token").asText())
              .method(method, HttpRequest.BodyPublishers.ofString(json)).build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Signs with a new key from now on; former ones stay in the key set. */
  void rotate(int priority) throws IOException {
    String realm = new ObjectMapper().readTree(send("GET", "/admin/realms/rns", "").body()).path("id").asText();
    make(
        "/admin/realms/rns/components",
        new ObjectMapper().writeValueAsString(
            Map.of(
                "name", "key-" + priority, "providerId", "rsa-generated", "providerType",
                "org.keycloak.keys.KeyProvider", "parentId", realm, "config",
                Map.of(
                    "priority", List.of(Integer.toString(priority)), "enabled", List.of("true"), "active",
                    List.of("true"), "algorithm", List.of("RS256")))));
  }

  /** Ends it at once. */
  void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
    http.shutdownNow();
  }
}
