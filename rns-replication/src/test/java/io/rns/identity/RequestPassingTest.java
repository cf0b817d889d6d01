package io.rns.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Caller;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Callers that fronts pass on, and what attackers do with them. */
class RequestPassingTest {
  private static final URI SERVER = URI.create("https://B:8080/rns");
  private static final String LINE = "GET /rns/names?list";
  private static final Caller ALICE = new Caller("x509:/CN=Alice ü", Set.of("voms:/cms"));
  private static final String EMPTY = RequestPassing.digest(ByteBuffer.allocate(0));

  private final ManualTime clock = new ManualTime();
  private final RequestPassing front = new RequestPassing("secret", "front 1", clock);
  private final CallerPassing receiver = new CallerPassing("secret", "s1", clock);

  private String header() {
    return front.header(RequestPassing.named(ALICE), SERVER, LINE, EMPTY).value();
  }

  private void refused(String header) {
    refused(header, LINE, RnsError.NOT_AUTHENTICATED);
  }

  private void refused(String header, String line, RnsError error) {
    assertThatThrownBy(() -> receiver.take(header, line, "b:8080"::equals))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(error));
  }

  @Test
  void callerFrontAndDigestArrive() {
    assertThat(receiver.take(header(), LINE, "b:8080"::equals))
        .isEqualTo(new PassedOn.Known(ALICE, "front 1", Optional.of(EMPTY)));
    String refusal = front.header(RequestPassing.refused("expired ü"), SERVER, LINE, EMPTY).value();
    assertThat(receiver.take(refusal, LINE, "b:8080"::equals))
        .isEqualTo(new PassedOn.Refused("expired ü", "front 1"));
    assertThatThrownBy(() -> RequestPassing.named(Caller.ANONYMOUS)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aRequestIsTakenOnceInAnyOrder() {
    String first = header();
    String second = header();
    assertThat(receiver.take(second, LINE, "b:8080"::equals).server()).isEqualTo("front 1");
    assertThat(receiver.take(first, LINE, "b:8080"::equals).server()).isEqualTo("front 1");
    refused(first);
    clock.advance(CallerPassing.WINDOW);
    refused(second);
    clock.advance(Duration.ofMillis(1));
    refused(second);
  }

  @Test
  void aRequestIsForOneServerLineAndTime() {
    String header = header();
    refused(header, "DELETE /rns/names?list", RnsError.NOT_AUTHENTICATED);
    refused(header, "GET /rns/names", RnsError.NOT_AUTHENTICATED);
    assertThatThrownBy(() -> receiver.take(header, LINE, "c:8080"::equals)).isInstanceOf(RnsException.class)
        .hasMessageContaining("b:8080");
    clock.advance(CallerPassing.WINDOW.plusMillis(1));
    refused(header);
    String before = header();
    clock.advance(Duration.ofMillis(1));
    CallerPassing restarted = new CallerPassing("secret", "s1", clock);
    assertThatThrownBy(() -> restarted.take(before, LINE, "b:8080"::equals)).isInstanceOfSatisfying(
        RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
  }

  @Test
  void nothingCanBeChanged() {
    String header = header();
    String[] parts = header.split(" ");
    assertThat(parts).hasSize(9);
    for (int i = 0; i < parts.length; i++) {
      String[] changed = parts.clone();
      changed[i] = parts[i].substring(1) + parts[i].charAt(0) + "0";
      refused(String.join(" ", changed));
      changed[i] = "";
      refused(String.join(" ", changed));
    }
    refused(header.replace(parts[5], RequestPassing.named(new Caller("local:root", Set.of()))));
    refused(header.replace(parts[6], RequestPassing.UNSIGNED));
    refused(
        new RequestPassing("other", "front 1", clock)
            .header(RequestPassing.named(ALICE), SERVER, LINE, EMPTY).value());
    for (String text : List.of("2 ", "2", "2 x", "1 2 3 4 5 6 7 8", header + "0", header + " ", "1" + header)) {
      refused(text);
    }
    assertThatThrownBy(() -> receiver.take(header, "b:8080"::equals)).as("as a message")
        .isInstanceOf(RnsException.class);
    assertThat(receiver.take(header, LINE, "b:8080"::equals)).isInstanceOf(PassedOn.Known.class);
  }

  @Test
  void anEmptyQueryIsNone() {
    assertThat(RequestPassing.line("GET", "/rns/names?")).isEqualTo("GET /rns/names");
    assertThat(RequestPassing.line("GET", "/rns/names?a=?")).isEqualTo("GET /rns/names?a=?");
  }
}
