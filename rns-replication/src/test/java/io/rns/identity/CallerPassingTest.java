package io.rns.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import io.rns.client.http.MessageAuthentication;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlBuffer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Callers that servers pass on, and what attackers do with them. */
class CallerPassingTest {
  private static final URI SERVER = URI.create("http://B:8080/rns/services/rns");
  private static final Caller ALICE =
      new Caller(
          "jwt:https://i.example#a\nb ü", Set.of("jwt:https://i.example#/x", "local:g"),
          List.of(
              Set.of(
                  new Scope(RnsPath.parse("/a b@c"), Set.of(Right.LIST, Right.READ)),
                  new Scope(RnsPath.parse("/d"), Set.of())),
              Set.of()));

  private final ManualTime clock = new ManualTime();
  private final CallerPassing sender = new CallerPassing("secret", "s1", clock);
  private final CallerPassing receiver = new CallerPassing("secret", "s1", clock);

  private static CallContext call(Caller caller) {
    return new CallContext(caller, Optional.empty());
  }

  private static XmlBuffer message(String text) {
    return new XmlBuffer(16).raw(text);
  }

  private String header(Caller caller) {
    return sender.header(call(caller), SERVER, message("<m/>")).orElseThrow().value();
  }

  private void refused(String header) {
    refused(receiver, header, RnsError.NOT_AUTHENTICATED);
  }

  private static void refused(CallerPassing receiver, String header, RnsError error) {
    assertThatThrownBy(() -> receiver.take(header, "b:8080"::equals))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(error));
  }

  @Test
  void nameGroupsAndLimitsArrive() {
    for (Caller caller : List.of(ALICE, new Caller("local:a", Set.of()), Caller.SERVICE)) {
      assertThat(receiver.take(header(caller), "b:8080"::equals).caller()).isEqualTo(caller);
    }
    assertThat(sender.header(CallContext.ANONYMOUS, SERVER, message("<m/>"))).isEmpty();
  }

  @Test
  void theOriginOfAnonymousRequestsArrives() {
    CallContext from = CallContext.ANONYMOUS.from("192.0.2.1");
    MessageAuthentication.Header header = sender.header(from, SERVER, message("<m/>")).orElseThrow();
    assertThat(header.name()).isEqualTo(CallerPassing.ORIGIN);
    assertThat(receiver.origin(header.value())).contains("192.0.2.1");
    assertThat(receiver.origin(header.value())).as("for every message").contains("192.0.2.1");
    assertThat(sender.header(from, SERVER, message("<n/>"))).contains(header);
    assertThat(new CallerPassing("other", "s1", clock).origin(header.value())).isEmpty();
    assertThat(receiver.origin("192.0.2.1")).isEmpty();
    assertThat(receiver.origin(header.value().replaceFirst("^[0-9]+", "1"))).isEmpty();
    clock.advance(OriginPassing.VALID.plusMinutes(1));
    assertThat(receiver.origin(header.value())).as("too old").isEmpty();
    assertThat(receiver.origin(sender.header(from, SERVER, message("<m/>")).orElseThrow().value()))
        .contains("192.0.2.1");
    assertThat(sender.header(CallContext.ANONYMOUS.from("x".repeat(101)), SERVER, message("<m/>"))).isEmpty();
  }

  @Test
  void aMessageIsTakenOnce() {
    String header = header(ALICE);
    assertThat(receiver.take(header, "b:8080"::equals).caller()).isEqualTo(ALICE);
    refused(header);
    clock.advance(CallerPassing.WINDOW);
    refused(header);
    clock.advance(Duration.ofSeconds(1));
    refused(header);
    // The same message again, signed anew, is another one.
    assertThat(receiver.take(header(ALICE), "b:8080"::equals).caller()).isEqualTo(ALICE);
  }

  @Test
  void aMessageIsForOneServerAndOneTime() {
    String header = header(ALICE);
    assertThatThrownBy(() -> receiver.take(header, "c:8080"::equals)).isInstanceOf(RnsException.class)
        .hasMessageContaining("b:8080");
    String old = header(ALICE);
    clock.advance(CallerPassing.WINDOW.plusMillis(1));
    refused(old);
    String before = header(ALICE);
    clock.advance(Duration.ofMillis(1));
    refused(new CallerPassing("secret", "s1", clock), before, RnsError.UNAVAILABLE);
  }

  @Test
  void nothingCanBeChanged() {
    String header = header(ALICE);
    String[] parts = header.split(" ");
    for (int i = 0; i < parts.length; i++) {
      String[] changed = parts.clone();
      changed[i] = parts[i].substring(1) + parts[i].charAt(0);
      if (!changed[i].equals(parts[i])) {
        refused(String.join(" ", changed));
      }
      changed[i] = "";
      refused(String.join(" ", changed));
    }
    String root = CallerText.of(new Caller("local:root", Set.of()));
    refused(header.replace(parts[4], root));
    refused(new CallerPassing("other", "s1", clock).header(call(ALICE), SERVER, message("<m/>")).orElseThrow().value());
    for (String text : List.of("", " ", "x", "1 2 3 4 5 6 7", "\u0000", header + "0", header + " ", " " + header)) {
      refused(text);
    }
    assertThat(receiver.take(header, "b:8080"::equals).caller()).isEqualTo(ALICE);
  }

  @Test
  void theMessageIsTheOneThatWasSigned() {
    PassedOn.Known passed = receiver.take(header(ALICE), "b:8080"::equals);
    byte[] body = "<m/>and what the buffer had before".getBytes(StandardCharsets.UTF_8);
    assertThatCode(() -> CallerPassing.checkBody(passed, body, 4)).doesNotThrowAnyException();
    assertThatThrownBy(() -> CallerPassing.checkBody(passed, body, 5)).isInstanceOf(RnsException.class);
    body[1] = 'n';
    assertThatThrownBy(() -> CallerPassing.checkBody(passed, body, 4)).isInstanceOf(RnsException.class);
  }

  @Test
  void manyGroupsFitAndTooManyAreRefused() {
    Caller many = new Caller(
        "jwt:https://iam.example.org/realms/wlcg#me",
        IntStream.range(0, 250).mapToObj(i -> "jwt:https://iam.example.org/realms/wlcg#/wlcg/group-" + i)
            .collect(Collectors.toSet()));
    assertThat(receiver.take(header(many), "b:8080"::equals).caller()).isEqualTo(many);
    java.util.Random random = new java.util.Random(1);
    Caller tooMany = new Caller(
        "local:me",
        IntStream.range(0, 1_000).mapToObj(i -> Long.toHexString(random.nextLong())).collect(Collectors.toSet()));
    assertThatThrownBy(() -> header(tooMany))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.LIMIT_EXCEEDED));
  }

  @Test
  void theMemoryOfMessagesHasABound() {
    ReplayMemory memory = new ReplayMemory(1_000, 3_000, 0);
    for (long i = 0; i < 3_000; i++) {
      assertThat(memory.take(i << 32, 0)).isEqualTo(ReplayMemory.Outcome.NEW);
    }
    assertThat(memory.take(-1, 0)).isEqualTo(ReplayMemory.Outcome.FULL);
    for (long i = 0; i < 3_000; i++) {
      assertThat(memory.take(i << 32, 1_000)).isEqualTo(ReplayMemory.Outcome.KNOWN);
    }
    assertThat(memory.take(-1, 1_000)).isEqualTo(ReplayMemory.Outcome.NEW);
    assertThat(memory.take(7L << 32, 1_999)).isEqualTo(ReplayMemory.Outcome.KNOWN);
    assertThat(memory.take(-1, 2_000)).isEqualTo(ReplayMemory.Outcome.KNOWN);
    assertThat(memory.take(7L << 32, 2_000)).isEqualTo(ReplayMemory.Outcome.NEW);
    assertThat(memory.take(-1, 9_000)).isEqualTo(ReplayMemory.Outcome.NEW);
  }
}
