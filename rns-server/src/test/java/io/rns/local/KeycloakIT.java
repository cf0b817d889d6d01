package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * People of a Keycloak who sign in with {@code ./rns login}, and what they may do at a closed service, up to the end of
 * that Keycloak. One test: each step needs what the former have left.
 */
@Tag("server")
@Tag("slow")
@Tag("long")
class KeycloakIT {
  private static final Pattern ADDRESS = Pattern.compile("^  (http\\S+)$");
  private static final int NOT_PERMITTED = 4;
  private static final int UNREACHABLE = 3;

  @TempDir private static Path temporary;
  private static KeycloakServer keycloak;
  private static LocalService service;
  private static Path data;

  @BeforeAll
  static void start() throws IOException {
    keycloak = new KeycloakServer(temporary.resolve("keycloak.log"));
    data = temporary.resolve("data");
    DataDirectory.create(data).secure();
    service =
        LocalService.start(
            LocalService.Settings.in(data).withEnvironment(
                Map.of("RNS_ISSUERS", keycloak.issuer(), "RNS_AUDIENCE", "https://rns.example.org")),
            line -> {});
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
    if (keycloak != null) {
      keycloak.close();
    }
  }

  /** A command that ended. */
  private record Ended(int code, String out, String err) {
    JsonNode json() throws IOException {
      return new ObjectMapper().readTree(out);
    }
  }

  /** Somebody at a terminal: with a directory for the token. */
  private record Person(Path runtime) {
    static Person of(String name) throws IOException {
      return new Person(Files.createDirectory(temporary.resolve("run-" + name)));
    }

    private Process process(String... words) throws IOException {
      List<String> line =
          new ArrayList<>(
              List.of(
                  LocalEnvironment.java(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
                  Path.of("../rns-cli/target/cli/lib").toAbsolutePath() + "/*", "io.rns.cli.RnsCommand"));
      line.addAll(List.of(words));
      ProcessBuilder builder = new ProcessBuilder(line);
      builder.environment().keySet().removeIf(name -> name.startsWith("RNS_") || name.startsWith("BEARER_"));
      builder.environment().putAll(
          Map.of(
              "RNS_SERVER", service.url(), "RNS_DATA", runtime.resolve("none").toString(), "XDG_RUNTIME_DIR",
              runtime.toString()));
      return builder.redirectOutput(runtime.resolve("out").toFile()).start();
    }

    Ended run(String... words) throws IOException, InterruptedException {
      Process process = process(words);
      return ended(process, new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
    }

    private Ended ended(Process process, String err) throws IOException, InterruptedException {
      return new Ended(process.waitFor(), Files.readString(runtime.resolve("out")), err);
    }

    void done(String... words) throws IOException, InterruptedException {
      Ended ended = run(words);
      assertThat(ended.code()).as(String.join(" ", words) + ": " + ended).isZero();
    }

    void refused(int code, String why, String... words) throws IOException, InterruptedException {
      Ended ended = run(words);
      assertThat(ended.code()).as(String.join(" ", words) + ": " + ended).isEqualTo(code);
      assertThat(ended.err()).contains(why);
    }

    /** Runs {@code rns login}, and does in a browser what it says. */
    Ended logIn(BrowserOfUser browser, String... options) throws IOException, InterruptedException {
      List<String> words = new ArrayList<>(List.of("login", "--issuer", keycloak.issuer(), "--json"));
      words.addAll(List.of(options));
      Process process = process(words.toArray(String[]::new));
      StringBuilder err = new StringBuilder();
      try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          err.append(line).append('\n');
          Matcher address = ADDRESS.matcher(line);
          if (address.matches()) {
            err.append(browser.open(URI.create(address.group(1))).length()).append(" characters of a page\n");
          }
        }
      }
      return ended(process, err.toString());
    }

    void loggedIn(String user, String client, String... scopes) throws IOException, InterruptedException {
      List<String> options = new ArrayList<>(List.of("--client-id", client));
      for (String scope : scopes) {
        options.addAll(List.of("--scope", scope));
      }
      Ended ended = logIn(new BrowserOfUser(user, "accept"), options.toArray(String[]::new));
      assertThat(ended.code()).as(ended.toString()).isZero();
      assertThat(ended.json().path("renewable").asBoolean()).isTrue();
      assertThat(ended.json().path("tokenFile").asText()).isEqualTo(file().toString());
    }

    Path file() throws IOException {
      return runtime.resolve("bt_u" + Files.getAttribute(runtime, "unix:uid"));
    }

    String token() throws IOException {
      return Files.readString(file()).strip();
    }

    JsonNode claims() throws IOException {
      return new ObjectMapper().readTree(Base64.getUrlDecoder().decode(token().split("\\.", -1)[1]));
    }
  }

  /** The administrator prepares the tree: members of the group may read and add. */
  private static void prepare() {
    for (String command : List.of("mkdir /data", "mkdir /data/here",
        "acl set / group:jwt:" + keycloak.issuer() + "#/physics=list,read,add")) {
      LocalCommand.json(data, service.url(), command.split(" "));
    }
  }

  @Test
  void peopleSignInAndDoWhatTheirGroupMay() throws Exception {
    prepare();
    Person anna = Person.of("anna");
    anna.refused(NOT_PERMITTED, "/", "ls", "/");

    // By the device flow; the group decides, and what it may not is refused.
    anna.loggedIn("anna", "rns");
    assertThat(anna.claims().path("wlcg.groups").get(0).asText()).isEqualTo("/physics");
    anna.done("ls", "/data");
    anna.done("mkdir", "/data/of-anna");
    anna.refused(NOT_PERMITTED, "remove", "rm", "/data/here");
    Person bert = Person.of("bert");
    bert.loggedIn("bert", "rns");
    bert.refused(NOT_PERMITTED, "/", "ls", "/data");

    // A scope limits the token.
    Person reader = Person.of("reader");
    reader.loggedIn("anna", "rns", "openid", "storage.read:/");
    assertThat(reader.claims().path("scope").asText()).contains("storage.read:/");
    reader.done("ls", "/data");
    reader.refused(NOT_PERMITTED, "add", "mkdir", "/data/of-reader");

    // No is no, and leaves nothing.
    Person careful = Person.of("careful");
    Ended denied = careful.logIn(new BrowserOfUser("anna", "cancel"), "--client-id", "rns");
    assertThat(denied.code()).as(denied.toString()).isEqualTo(NOT_PERMITTED);
    assertThat(denied.err()).contains("the sign-in was denied");
    assertThat(careful.file()).doesNotExist();

    // A token for another service is none here.
    Person elsewhere = Person.of("elsewhere");
    elsewhere.loggedIn("anna", "other");
    elsewhere.refused(NOT_PERMITTED, "another audience", "ls", "/data");

    // Commands renew the token before it expires.
    Person hasty = Person.of("hasty");
    hasty.loggedIn("anna", "short");
    String first = hasty.token();
    Eventually.holds("a command renews the token", () -> {
      try {
        hasty.done("ls", "/data");
        return !hasty.token().equals(first);
      } catch (IOException | InterruptedException e) {
        throw new AssertionError(e);
      }
    });
    assertThat(hasty.claims().path("exp").asLong() - hasty.claims().path("iat").asLong()).isEqualTo(9);
    hasty.done("ls", "/data");

    // The end of a sign-in: revoked there, removed here.
    byte[] login = Files.readAllBytes(Path.of(hasty.file() + ".login"));
    hasty.done("logout");
    assertThat(hasty.file()).doesNotExist();
    hasty.refused(NOT_PERMITTED, "/", "ls", "/data");
    Path stolen = Path.of(hasty.file() + ".login");
    Files.write(stolen, login);
    hasty.refused(NOT_PERMITTED, "the sign-in has ended", "login", "--renew");

    keysChangeAndTheIssuerGoes(anna);
  }

  private static void keysChangeAndTheIssuerGoes(Person anna) throws IOException, InterruptedException {
    String before = anna.token();
    keycloak.rotate(200);
    anna.done("login", "--renew");
    assertThat(kid(anna.token())).isNotEqualTo(kid(before));
    Path former = Files.writeString(temporary.resolve("former"), before);
    Eventually.holds("tokens of the new key are accepted", () -> {
      try {
        // Unknown keys are fetched at most every 5 seconds.
        return anna.run("ls", "/data").code() == 0;
      } catch (IOException | InterruptedException e) {
        throw new AssertionError(e);
      }
    });
    anna.done("ls", "/data", "--token-file", former.toString());

    // The server has never seen this one.
    keycloak.rotate(300);
    Path known = Files.writeString(temporary.resolve("known"), anna.token());
    anna.done("login", "--renew");
    keycloak.kill();
    anna.done("ls", "/data", "--token-file", known.toString());
    anna.refused(UNREACHABLE, "keys of the token's issuer", "ls", "/data");
    anna.refused(UNREACHABLE, "cannot use", "login", "--renew");
    anna.done("ls", "/data", "--token-file", former.toString());
    anna.refused(UNREACHABLE, "cannot use", "logout");
    assertThat(anna.file()).doesNotExist();
  }

  private static String kid(String token) throws IOException {
    return new ObjectMapper().readTree(Base64.getUrlDecoder().decode(token.split("\\.", -1)[0])).path("kid").asText();
  }
}
