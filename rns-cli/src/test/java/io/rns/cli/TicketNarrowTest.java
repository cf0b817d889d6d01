package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.issuer.TestIssuer;
import io.rns.ticket.Ticket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

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
