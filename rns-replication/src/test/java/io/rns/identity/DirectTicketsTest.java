package io.rns.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Caller;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Clients that fronts send to servers, and what attackers do with their tickets. */
class DirectTicketsTest {
  private static final URI SERVER = URI.create("https://B:8080/rns");
  private static final String QUERY = "subtree&after=a";
  private static final String LINE = "GET /rns/names?" + QUERY;
  private static final String MARK = "direct-ticket=";
  private static final Caller ALICE = new Caller("x509:/CN=Alice ü", Set.of("voms:/cms"));

  private final ManualTime clock = new ManualTime();
  private final DirectTickets front = new DirectTickets("secret", "front 1", clock);
  private final CallerPassing server = new CallerPassing("secret", "s1", clock);

  private String query() {
    return front.query(QUERY, RequestPassing.named(ALICE), SERVER, LINE, false);
  }

  private Optional<PassedOn.Known> take(String query) {
    return server.takeTicket(query, LINE, false, "b:8080"::equals);
  }

  private static void refused(CallerPassing at, String query, String line, boolean hasCredential, RnsError error,
      String why) {
    assertThatThrownBy(() -> at.takeTicket(query, line, hasCredential, "b:8080"::equals))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(error))
        .hasMessageContaining(why);
  }

  private void refused(String query, String why) {
    refused(server, query, LINE, false, RnsError.NOT_AUTHENTICATED, why);
  }

  @Test
  void callerAndFrontArriveAndNothingOfOthers() {
    assertThat(take(query())).contains(new PassedOn.Known(ALICE, "front 1", Optional.empty()));
    assertThat(take(front.query(QUERY, null, SERVER, LINE, false))).isEmpty();
    assertThat(server.takeTicket(front.query(QUERY, null, SERVER, LINE, true), LINE, true, "b:8080"::equals))
        .isEmpty();
  }

  @Test
  void theTicketIsTheLastParameter() {
    String query = query();
    assertThat(DirectTickets.isIn(query)).isTrue();
    assertThat(DirectTickets.without(query)).isEqualTo(QUERY);
    assertThat(DirectTickets.without(front.query("", null, SERVER, "GET /", false))).isNull();
    for (String other : List.of("", QUERY, "indirect-ticket=x", "direct-ticket", "list&pattern=direct-ticket%3D")) {
      assertThat(DirectTickets.isIn(other)).as(other).isFalse();
      assertThat(DirectTickets.without(other)).isEqualTo(other);
    }
    assertThat(DirectTickets.isIn(null)).isFalse();
  }

  @Test
  void aTicketIsTakenOnceInAnyOrder() {
    String first = query();
    String second = query();
    assertThat(take(second)).isPresent();
    assertThat(take(first)).isPresent();
    refused(first, "used before");
    clock.advance(DirectTickets.LIFE);
    refused(second, "used before");
    clock.advance(Duration.ofMillis(1));
    refused(second, "30 s ago");
  }

  @Test
  void aTicketIsForOneRequestServerAndTime() {
    String query = query();
    refused(server, query, "HEAD /rns/names?" + QUERY, false, RnsError.NOT_AUTHENTICATED, "for this request");
    refused(server, query, LINE + "b", false, RnsError.NOT_AUTHENTICATED, "for this request");
    refused(server, query, LINE, true, RnsError.NOT_AUTHENTICATED, "without Authorization");
    refused(server, front.query(QUERY, null, SERVER, LINE, true), LINE, false, RnsError.NOT_AUTHENTICATED,
        "needs the Authorization header");
    assertThatThrownBy(() -> server.takeTicket(query, LINE, false, "c:8080"::equals))
        .isInstanceOf(RnsException.class).hasMessageContaining("b:8080");
    clock.advance(DirectTickets.LIFE);
    assertThat(take(query)).as("at the end of its life").isPresent();
    String late = query();
    clock.advance(DirectTickets.LIFE.plusMillis(1));
    refused(late, "ago");
    String before = query();
    clock.advance(Duration.ofMillis(1));
    refused(new CallerPassing("secret", "s1", clock), before, LINE, false, RnsError.UNAVAILABLE, "started");
  }

  @Test
  void nothingCanBeChanged() {
    String query = query();
    String ticket = query.substring(query.indexOf(MARK) + MARK.length());
    String text = new String(Base64.getUrlDecoder().decode(ticket), StandardCharsets.US_ASCII);
    String[] parts = text.split(" ");
    assertThat(parts).hasSize(8);
    for (int i = 0; i < parts.length; i++) {
      for (String part : List.of(parts[i].substring(1) + parts[i].charAt(0) + "0", "")) {
        String[] changed = parts.clone();
        changed[i] = part;
        refused(with(String.join(" ", changed)), "not made by a front");
      }
    }
    refused(with(text.replace(parts[5], RequestPassing.named(new Caller("local:root", Set.of())))), "not made");
    refused(with(text.replace(parts[5], "-")), "not made");
    refused(new DirectTickets("other", "front 1", clock).query(QUERY, null, SERVER, LINE, false), "not made");
    for (String wrong : List.of("", "x", "%", ticket + "&x=y", ticket + "A")) {
      refused(QUERY + "&" + MARK + wrong, "not made");
    }
    String header =
        new RequestPassing("secret", "front 1", clock)
            .header(RequestPassing.named(ALICE), SERVER, LINE, RequestPassing.UNSIGNED).value();
    refused(with(header), "not made");
    assertThatThrownBy(() -> server.take(text, LINE, "b:8080"::equals)).as("as a header")
        .isInstanceOf(RnsException.class);
    assertThat(take(query)).isPresent();
  }

  private static String with(String text) {
    return QUERY + "&" + MARK
        + Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
