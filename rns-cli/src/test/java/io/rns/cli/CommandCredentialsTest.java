package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.client.CredentialSource;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.file.PrivateFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandCredentialsTest {
  private static final URI HERE = URI.create("http://127.0.0.1:8091/rns");
  private static final URI ELSEWHERE = URI.create("http://other:8091/rns");

  @TempDir private Path directory;
  private final List<String> complaints = new ArrayList<>();

  @BeforeEach
  void runAService() throws IOException {
    Files.writeString(
        directory.resolve("run.json"), "{\"url\":\"" + HERE + "\",\"soap\":\"" + HERE + "/services/rns\"}");
    Files.writeString(directory.resolve("administrator"), "admin:word\n");
  }

  private Optional<String> found(Map<String, String> environment, List<URI> servers) {
    return new CommandCredentials(environment, null, complaints::add).of(servers, directory, true)
        .authorization(Optional.empty());
  }

  private static String basic(String pair) {
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  @Test
  void theAdministratorOfALocalServiceIsForThisServiceOnly() {
    assertThat(RunFileServers.of(directory)).containsExactly(HERE);
    Map<String, String> none = Map.of("XDG_RUNTIME_DIR", directory.toString());
    assertThat(found(none, List.of(HERE))).contains(basic("admin:word"));
    assertThat(found(none, List.of(URI.create(HERE + "/")))).contains(basic("admin:word"));
    assertThat(found(none, List.of(ELSEWHERE))).isEmpty();
    assertThat(found(none, List.of(HERE, ELSEWHERE))).isEmpty();
    assertThat(new CommandCredentials(none, null, complaints::add).of(List.of(HERE), directory, false)
        .authorization(Optional.empty())).isEmpty();
  }

  @Test
  void theAdministratorIsNotSentToAPortThatTheServiceHasLeft() throws IOException {
    URI server;
    CredentialSource source;
    try (ServerSocket service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server = URI.create("http://127.0.0.1:" + service.getLocalPort() + "/rns");
      file("run.json", "{\"url\":\"" + server + "\"}");
      source = new CommandCredentials(Map.of(), null, complaints::add).of(List.of(server), directory, true);
      assertThat(source.authorization(server, Optional.empty())).contains(basic("admin:word"));
    }
    assertThatThrownBy(() -> source.authorization(server, Optional.empty()))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
        .hasMessageContainingAll("administrator is not sent to " + server.getRawAuthority(), "nothing listens there");
  }

  @Test
  void theProcessOfAServerIsKnown() throws IOException {
    file("run.json", "{\"url\":\"" + HERE + "\",\"processes\":[{\"name\":\"supervisor\",\"pid\":1},"
        + "{\"name\":\"GlassFish\",\"pid\":17}]}");
    assertThat(RunFile.in(directory).process(URI.create(HERE + "/status"))).contains(17L);
    assertThat(RunFile.in(directory).process(ELSEWHERE)).isEmpty();
    file("run.json", "{\"url\":\"" + HERE + "\",\"members\":[{\"name\":\"server-1\",\"url\":\"" + HERE
        + "\",\"glassFishPid\":18}],\"processes\":[{\"name\":\"GlassFish of server-1\",\"pid\":18}]}");
    assertThat(RunFile.in(directory).process(HERE)).contains(18L);
  }

  @Test
  void theFirstCredentialOfTheListIsTaken() throws IOException {
    Path named = file("named", "from-option\n");
    Path password = file("password", "secret\n");
    Path bearer = file("bearer", "from-file");
    Map<String, String> token = Map.of("BEARER_TOKEN", "from-variable", "BEARER_TOKEN_FILE", bearer.toString());
    Map<String, String> account =
        Map.of("RNS_USER", "alice", "RNS_PASSWORD_FILE", password.toString(), "BEARER_TOKEN", "x");
    assertThat(new CommandCredentials(account, named, complaints::add).of(List.of(HERE), directory, true)
        .authorization(Optional.empty())).contains("Bearer from-option");
    assertThat(found(account, List.of(HERE))).contains(basic("alice:secret"));
    assertThat(found(token, List.of(HERE))).contains("Bearer from-variable");
    assertThat(found(Map.of("BEARER_TOKEN_FILE", bearer.toString()), List.of(HERE))).contains("Bearer from-file");
  }

  @Test
  void aTokenOfTheUserIsDiscoveredAndReadAgain() throws IOException {
    int user = (Integer) Files.getAttribute(directory, "unix:uid");
    Path discovered = file("bt_u" + user, "one");
    CredentialSource source =
        new CommandCredentials(Map.of("XDG_RUNTIME_DIR", directory.toString()), null, complaints::add)
            .of(List.of(ELSEWHERE), directory, true);
    assertThat(source.authorization(Optional.empty())).contains("Bearer one");
    Files.writeString(discovered, "two");
    assertThat(source.authorization(Optional.of("Bearer one"))).contains("Bearer two");
  }

  @Test
  void aLinkIsNoTokenOfTheUser() throws IOException {
    int user = (Integer) Files.getAttribute(directory, "unix:uid");
    Path secret = file("secret", "not-for-servers");
    Path link = Files.createSymbolicLink(directory.resolve("bt_u" + user), secret);
    assertThat(new PrivateFile(link).isOwn()).isFalse();
    assertThat(LoginStore.found(Map.of("XDG_RUNTIME_DIR", directory.toString()))).isNotEqualTo(Optional.of(link));
  }

  @Test
  void wrongFilesAreRefusedWithoutTheirContent() throws IOException {
    for (String content : List.of("", "\n", "secret-one\nsecret-two", "secret\u0000", "secret".repeat(4_000))) {
      Path file = file("wrong", content);
      assertThatThrownBy(
          () -> new CommandCredentials(Map.of(), file, complaints::add).of(List.of(HERE), directory, true))
          .isInstanceOf(UncheckedIOException.class).message().doesNotContain("secret");
    }
    assertThatThrownBy(
        () -> new CommandCredentials(Map.of(), directory.resolve("none"), complaints::add).of(List.of(HERE), directory,
            true))
        .isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(() -> found(Map.of("RNS_USER", "alice"), List.of(HERE)))
        .isInstanceOf(UncheckedIOException.class).hasMessageContaining("RNS_PASSWORD_FILE");
  }

  /** What the file of the test says of servers. */
  private static final class RunFileServers {
    static List<URI> of(Path data) {
      try {
        return RunFile.in(data).servers();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
