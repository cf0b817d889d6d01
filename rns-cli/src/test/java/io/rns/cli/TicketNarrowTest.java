package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.file.PrivateFile;
import io.rns.issuer.TestIssuer;
import io.rns.ticket.Ticket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tickets are narrowed without a server. */
class TicketNarrowTest {
  private static final byte[] KEY = "key".getBytes(StandardCharsets.UTF_8);

  @Test
  void aTicketIsNarrowedOffline() {
    Ticket made = Ticket.make("id", 1, KEY, new Caller("local:alice", Set.of()));
    try (CommandLineFixture rns = new CommandLineFixture()) {
      rns.environment("RNS_SERVER", "http://127.0.0.1:1/rns");
      String token =
          rns.done("ticket", "narrow", made.token(), "--path", "/a", "--rights", "read,list", "--for", "5m").out();
      Ticket narrowed = Ticket.parse(token.strip());
      assertThat(narrowed.isOf(KEY)).isTrue();
      assertThat(narrowed.until()).isBeforeOrEqualTo(Instant.now().plus(Duration.ofMinutes(5)));
      assertThat(narrowed.caller().isWithinLimits(Right.READ, RnsPath.parse("/a/b"))).isTrue();
      assertThat(narrowed.caller().isWithinLimits(Right.ADD, RnsPath.parse("/a/b"))).isFalse();
      assertThat(rns.done("ticket", "narrow", made.token(), "--json").json()).containsKeys("token", "id", "until");
      assertThat(rns.run("ticket", "narrow", "nonsense").code()).isEqualTo(2);
      assertThat(rns.run("ticket", "narrow", made.token(), "--rights", "all").code()).isEqualTo(2);
    }
  }

  @Test
  void theTokenNeedNotBeOnTheCommandLine(@TempDir Path directory) throws IOException {
    String token = Ticket.make("id", 1, KEY, new Caller("local:alice", Set.of())).token();
    Path file = Files.writeString(directory.resolve("ticket"), token + "\n");
    try (CommandLineFixture rns = new CommandLineFixture()) {
      rns.environment("XDG_RUNTIME_DIR", directory.toString());
      assertNarrowed(rns.done("ticket", "narrow", "--path", "/a", "--token-file", file.toString()));
      assertNarrowed(rns.input(token + "\n").done("ticket", "narrow", "-", "--path", "/a"));
      assertThat(rns.input("x".repeat(20_000)).run("ticket", "narrow", "-").code()).isEqualTo(2);
      PrivateFile discovered = new PrivateFile(directory.resolve("bt_u" + PrivateFile.user().orElseThrow()));
      discovered.write(token + "\n");
      assertNarrowed(rns.done("ticket", "narrow", "--path", "/a"));
      rns.environment("BEARER_TOKEN", token);
      assertNarrowed(rns.done("ticket", "narrow", "--path", "/a"));
      rns.environment("RNS_USER", "alice").environment("RNS_PASSWORD_FILE", file.toString());
      CommandLineFixture.Result account = rns.run("ticket", "narrow", "--path", "/a");
      assertThat(account.code()).isEqualTo(2);
      assertThat(account.err()).contains("no token", "BEARER_TOKEN");
    }
  }

  private static void assertNarrowed(CommandLineFixture.Result result) {
    Ticket narrowed = Ticket.parse(result.out().strip());
    assertThat(narrowed.isOf(KEY)).isTrue();
    assertThat(narrowed.caller().isWithinLimits(Right.READ, RnsPath.parse("/b"))).isFalse();
  }

  @Test
  void aServerThatRefusesTheCallerIsUnderstood() {
    try (TestIssuer server = new TestIssuer(); CommandLineFixture rns = new CommandLineFixture()) {
      server.endpoint(
          "tickets", "/rns/tickets",
          form -> new TestIssuer.Reply(401, "{\"code\":\"NOT_AUTHENTICATED\",\"message\":\"who are you\"}"));
      CommandLineFixture.Result refused =
          rns.run("ticket", "make", "/a", "--rights", "list", "--server", server.url() + "/rns");
      assertThat(refused.err()).isEqualTo("rns: who are you\n");
      assertThat(refused.code()).isEqualTo(4);
    }
  }
}
