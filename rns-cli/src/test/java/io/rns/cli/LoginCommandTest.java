package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.rns.cli.CommandLineFixture.Result;
import io.rns.client.CredentialSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sign-ins, their files, renewal, and the end of them. */
@Timeout(60)
class LoginCommandTest {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  private final TestProvider provider = new TestProvider();
  private final CommandLineFixture rns = new CommandLineFixture();
  private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
  private final List<String> complaints = new ArrayList<>();

  @TempDir private Path directory;
  private Path token = Path.of("");
  private Path login = Path.of("");

  @BeforeEach
  void prepare() throws IOException {
    token = directory.resolve("bt_u" + Files.getAttribute(directory, "unix:uid"));
    login = directory.resolve(token.getFileName() + ".login");
    rns.environment("XDG_RUNTIME_DIR", directory.toString());
  }

  @AfterEach
  void stop() {
    provider.close();
    rns.close();
  }

  private Result signIn(String... more) {
    List<String> line = new ArrayList<>(List.of("login", "--issuer", provider.url(), "--client-id", "rns"));
    line.addAll(List.of(more));
    Result result = rns.run(line.toArray(String[]::new));
    assertThat(result.code()).as(result.toString()).isZero();
    return result;
  }

  private void signedIn(String access, String refresh, int seconds) throws IOException {
    LoginStore.of(token).keep(
        SavedLogin.of(
            provider.url(), new LoginClient("rns", "openid", ""), Optional.empty(),
            new OpenIdProvider.TokenAnswer.Granted(
                access, refresh.isEmpty() ? Optional.empty() : Optional.of(refresh),
                Optional.of(Duration.ofSeconds(seconds))),
            NOW),
        access);
  }

  private CredentialSource source() throws IOException {
    LoginStore store = LoginStore.of(token);
    return new RenewedToken(store, store.saved().orElseThrow(), now::get, complaints::add);
  }

  private static String sent(CredentialSource source, String... refused) {
    return source.authorization(refused.length == 0 ? Optional.empty() : Optional.of("Bearer " + refused[0]))
        .orElseThrow();
  }

  @Test
  void signsInAndStoresTheTokenWhereItIsDiscovered() throws IOException {
    provider.grant("access", "refresh", 300);
    Result result = signIn("--scope", "wlcg", "--scope", "offline_access", "--json");
    assertThat(result.json()).contains(
        entry("issuer", provider.url()), entry("tokenFile", token.toString()), entry("renewable", "true"))
        .containsKey("expires");
    assertThat(result.err()).contains("https://x.example/device?user_code=ABCD-EFGH", "ABCD-EFGH within 1 min")
        .doesNotContain("refresh");
    assertThat(token).hasContent("access");
    for (Path file : List.of(token, login)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
    }
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactlyInAnyOrder(token, login);
    }
    assertThat(provider.forms().get(0)).containsEntry("scope", "wlcg offline_access").doesNotContainKey("audience");
    assertThat(new CommandCredentials(Map.of("XDG_RUNTIME_DIR", directory.toString()), null, complaints::add)
        .of(List.of(), directory, false).authorization(Optional.empty())).contains("Bearer access");
    // What was asked for once is the default.
    provider.grant("second", "", 300);
    assertThat(rns.run("login").out()).contains("signed in at " + provider.url()).doesNotContain("renewed");
    assertThat(provider.forms().get(2)).containsEntry("scope", "wlcg offline_access");
    assertThat(token).hasContent("second");
  }

  @Test
  void aLinkOfAnotherUserIsReplacedAndNotFollowed() throws IOException {
    Path victim = Files.writeString(directory.resolve("victim"), "kept");
    Path unused = Files.createSymbolicLink(token, victim);
    unused = Files.createSymbolicLink(login, victim);
    provider.grant("access", "refresh", 300);
    signIn();
    assertThat(victim).hasContent("kept");
    assertThat(Files.isSymbolicLink(token) || Files.isSymbolicLink(login)).isFalse();
    assertThat(token).hasContent("access");
  }

  @Test
  void wrongUsageAndRefusals() throws IOException {
    assertThat(rns.run("login").err()).contains("'--issuer=URL'", "Try 'rns login --help'");
    assertThat(rns.run("login", "--issuer", provider.url()).err()).contains("'--client-id=ID'");
    assertThat(rns.run("login", "--issuer", "http://iam.example/", "--client-id", "rns").err())
        .contains("is no https address");
    assertThat(rns.run("login", "--renew", "--issuer", provider.url()).code()).isEqualTo(2);
    assertThat(rns.run("login", "--renew").code()).isEqualTo(4);
    provider.error("access_denied");
    Result denied = rns.run("login", "--issuer", provider.url(), "--client-id", "rns", "--json");
    assertThat(denied.code()).isEqualTo(4);
    assertThat(denied.json().get("error").toString()).contains("NOT_PERMITTED", "the sign-in was denied");
    try (var files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void commandsRenewTheTokenBeforeItExpires() throws IOException {
    signedIn("one", "r1", 300);
    CredentialSource source = source();
    assertThat(sent(source)).isEqualTo("Bearer one");
    now.set(NOW.plusSeconds(239));
    assertThat(sent(source)).isEqualTo("Bearer one");
    provider.grant("two", "r2", 300).grant("three", "", 300);
    now.set(NOW.plusSeconds(240));
    assertThat(sent(source)).isEqualTo("Bearer two");
    assertThat(token).hasContent("two");
    // A server refuses it before its time.
    assertThat(sent(source, "two")).isEqualTo("Bearer three");
    assertThat(provider.forms()).extracting(form -> form.get("refresh_token")).containsExactly("r1", "r2");
    assertThat(LoginStore.of(token).saved().orElseThrow().refreshToken()).isEqualTo("r2");
    assertThat(complaints).isEmpty();
  }

  @Test
  void theTokenIsUsedWhileItCannotBeRenewed() throws IOException {
    signedIn("one", "r1", 300);
    CredentialSource source = source();
    provider.answer(503, "down");
    now.set(NOW.plusSeconds(250));
    assertThat(sent(source)).isEqualTo("Bearer one");
    assertThat(sent(source)).isEqualTo("Bearer one");
    assertThat(provider.forms()).hasSize(1);
    // The refresh token is good once at this provider.
    now.set(NOW.plusSeconds(261));
    assertThat(sent(source)).isEqualTo("Bearer one");
    now.set(NOW.plusSeconds(1_000));
    assertThat(sent(source, "one")).isEqualTo("Bearer one");
    assertThat(provider.forms()).hasSize(2);
    assertThat(complaints).singleElement().asString().startsWith("cannot renew the token: ");
  }

  @Test
  void aTokenOfAnotherProgramIsLeftAlone() throws IOException {
    signedIn("one", "r1", 300);
    Files.writeString(token, "of-another-program\n");
    now.set(NOW.plusSeconds(1_000));
    assertThat(sent(source())).isEqualTo("Bearer of-another-program");
    assertThat(provider.forms()).isEmpty();
  }

  @Test
  void commandsAtTheSameTimeRenewItOnce() throws Exception {
    signedIn("one", "r1", 300);
    provider.grant("two", "r2", 3_000).grant("three", "r3", 3_000);
    now.set(NOW.plusSeconds(301));
    List<CredentialSource> sources = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      sources.add(source());
    }
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (Future<String> each : threads.invokeAll(
          sources.stream().map(source -> (java.util.concurrent.Callable<String>) () -> sent(source)).toList(), 30,
          TimeUnit.SECONDS)) {
        assertThat(each.get()).isEqualTo("Bearer two");
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(provider.forms()).hasSize(1);
    assertThat(complaints).isEmpty();
  }

  @Test
  void renewsAtOnceOnRequest() throws IOException {
    signedIn("one", "r1", 300);
    provider.grant("two", "r2", 300);
    assertThat(rns.run("login", "--renew").code()).isZero();
    assertThat(token).hasContent("two");
    Result ended = rns.run("login", "--renew");
    assertThat(ended.code()).isEqualTo(4);
    assertThat(ended.err()).contains("the sign-in has ended: Session not active (invalid_grant)");
    signedIn("one", "", 300);
    assertThat(rns.run("login", "--renew").err()).contains("the provider gave nothing to renew");
  }

  @Test
  void logoutRevokesAndRemoves() throws IOException {
    provider.revoking(200);
    signedIn("one", "r1", 300);
    assertThat(rns.done("logout", "--json").json())
        .contains(entry("revoked", "true"), entry("removed", List.of(token.toString(), login.toString())));
    signedIn("one", "", 300);
    rns.done("logout");
    assertThat(provider.revoked()).containsExactly("refresh_token r1", "access_token one");
    assertThat(rns.done("logout").out()).isEqualTo("not signed in\n");
    assertThat(token).doesNotExist();
    assertThat(login).doesNotExist();
  }

  @Test
  void logoutRemovesAlsoWithoutTheProvider() throws IOException {
    signedIn("one", "r1", 300);
    assertThat(rns.done("logout").out()).contains("offers no revocation");
    assertThat(login).doesNotExist();
    provider.revoking(503);
    signedIn("one", "r1", 300);
    assertThat(rns.run("logout").code()).isEqualTo(3);
    signedIn("one", "r1", 300);
    provider.close();
    assertThat(rns.run("logout").code()).isEqualTo(3);
    assertThat(token).doesNotExist();
    assertThat(login).doesNotExist();
  }

  @Test
  void logoutLeavesTokensOfOthers() throws IOException {
    Files.writeString(token, "of-another-program\n");
    assertThat(rns.done("logout").out()).isEqualTo("not signed in\n");
    assertThat(token).exists();
    Files.writeString(login, "nonsense");
    Result wrong = rns.run("logout");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("is not of 'rns login'").doesNotContain("nonsense");
  }
}
