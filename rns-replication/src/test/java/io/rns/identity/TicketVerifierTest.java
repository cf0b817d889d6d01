package io.rns.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.TicketBook.Made;
import io.rns.ticket.Caveat;
import io.rns.ticket.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tickets at a server, and what their holders try. */
class TicketVerifierTest {
  private static final Caller ALICE = new Caller("local:alice", Set.of("local:staff"));

  private final ManualTime clock = new ManualTime();
  private final TicketKeys keys = new TicketKeys("secret");
  private final Known known = new Known();
  private final Identification identification =
      new IdentitySettings(Optional.empty(), IssuerSettings.NONE, X509Settings.NONE).start(Optional.of(keys), known,
          clock);

  /** What a test says of tickets. */
  private static final class Known implements TicketSource {
    private Optional<TicketBook> book = Optional.of(TicketBook.EMPTY);
    private long generation;

    void set(Optional<TicketBook> now) {
      book = now;
      generation++;
    }

    @Override
    public Optional<TicketBook> book() {
      return book;
    }

    @Override
    public long generation() {
      return generation;
    }
  }

  private Ticket made(String id, Duration time) {
    Instant until = clock.instant().plus(time);
    Ticket ticket =
        Ticket.make(id, known.book.orElseThrow().key(), keys.key(known.book.orElseThrow().key()), ALICE)
            .narrowed(new Caveat.Below(RnsPath.parse("/data")))
            .narrowed(new Caveat.Only(Set.of(Right.READ, Right.LIST)))
            .narrowed(new Caveat.Before(until));
    Made entry = new Made("local:alice", until.toEpochMilli(), ticket.caveats(), false);
    known.set(Optional.of(known.book.orElseThrow().with(id, entry, clock.instant())));
    return ticket;
  }

  private Caller holder(Ticket ticket) {
    return identification.caller("Bearer " + ticket.token());
  }

  private void refused(Ticket ticket, RnsError error, String why) {
    assertThatThrownBy(() -> holder(ticket))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(error))
        .hasMessageContaining(why).message().doesNotContain(ticket.token());
  }

  @Test
  void theHolderHasWhatTheCaveatsLeave() {
    Ticket ticket = made("a", Duration.ofHours(1));
    Caller holder = holder(ticket);
    assertThat(holder.name()).isEqualTo("local:alice");
    assertThat(holder.groups()).containsExactly("local:staff");
    assertThat(holder.isWithinLimits(Right.READ, RnsPath.parse("/data/x"))).isTrue();
    assertThat(holder.isWithinLimits(Right.ADD, RnsPath.parse("/data/x"))).isFalse();
    assertThat(holder.isWithinLimits(Right.READ, RnsPath.parse("/other"))).isFalse();
    Caller narrower = holder(ticket.narrowed(new Caveat.Below(RnsPath.parse("/data/x"))));
    assertThat(narrower.isWithinLimits(Right.READ, RnsPath.parse("/data/y"))).isFalse();
    // What a holder adds does not widen.
    Caller same = holder(
        ticket.narrowed(new Caveat.Only(Set.of(Right.values()))).narrowed(new Caveat.Below(RnsPath.ROOT))
            .narrowed(new Caveat.Before(clock.instant().plus(Duration.ofDays(300)))));
    assertThat(same.isWithinLimits(Right.ADD, RnsPath.parse("/data/x"))).isFalse();
    clock.advance(Duration.ofHours(1));
    refused(ticket, RnsError.NOT_AUTHENTICATED, "expired");
  }

  @Test
  void ticketsAreRevokedWithAllNarrowedFromThem() {
    Ticket ticket = made("a", Duration.ofHours(1));
    Ticket other = made("b", Duration.ofHours(1));
    Ticket narrowed = ticket.narrowed(new Caveat.Only(Set.of(Right.READ)));
    assertThat(holder(ticket).name()).isEqualTo(holder(narrowed).name()).isEqualTo("local:alice");
    known.set(Optional.of(known.book.orElseThrow().revoked("a", clock.instant())));
    refused(ticket, RnsError.NOT_AUTHENTICATED, "revoked");
    refused(narrowed, RnsError.NOT_AUTHENTICATED, "revoked");
    assertThat(holder(other).name()).isEqualTo("local:alice");
    known.set(Optional.of(known.book.orElseThrow().withNewKey()));
    refused(other, RnsError.NOT_AUTHENTICATED, "revoked");
    // A ticket of the new key under an old id is another one.
    assertThat(holder(made("a", Duration.ofHours(1))).name()).isEqualTo("local:alice");
  }

  @Test
  void aServerThatDoesNotKnowWhatIsRevokedAcceptsNone() {
    Ticket ticket = made("a", Duration.ofHours(1));
    assertThat(holder(ticket).name()).isEqualTo("local:alice");
    Optional<TicketBook> book = known.book;
    known.set(Optional.empty());
    refused(ticket, RnsError.UNAVAILABLE, "not known");
    known.set(book);
    assertThat(holder(ticket).name()).isEqualTo("local:alice");
  }

  @Test
  void ticketsOfOthersAreRefused() {
    Ticket forged =
        Ticket.make("a", 1, new TicketKeys("other").key(1), new Caller("local:root", Set.of()))
            .narrowed(new Caveat.Before(clock.instant().plusSeconds(60)));
    refused(forged, RnsError.NOT_AUTHENTICATED, "not made by this service");
    refused(
        Ticket.make("a", 1, keys.key(2), ALICE), RnsError.NOT_AUTHENTICATED, "not made by this service");
    for (String token : List.of("Ag", "AgEDcm5z", "AgID____fw")) {
      assertThatThrownBy(() -> identification.caller("Bearer " + token))
          .isInstanceOfSatisfying(
              RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_AUTHENTICATED));
    }
  }

  @Test
  void expiredTicketsAreForgottenAndLivingOnesHaveABound() {
    TicketBook book = TicketBook.EMPTY;
    Instant now = clock.instant();
    for (int i = 0; i < TicketBook.MOST; i++) {
      book = book.with("t" + i, new Made("m" + i, now.toEpochMilli() + i, List.of(), false), now);
    }
    TicketBook full = book;
    Made one = new Made("m", now.plusSeconds(1_000).toEpochMilli(), List.of(), false);
    assertThatThrownBy(() -> full.with("one", one, now)).isInstanceOf(RnsException.class);
    assertThat(full.with("t1", one, now).tickets()).hasSize(TicketBook.MOST);
    assertThat(full.with("one", one, now.plusSeconds(900)).tickets()).hasSize(1);
    assertThat(full.revoked("none", now)).isSameAs(full);
  }

  @Test
  void noMakerUsesUpTheTicketsOfTheOthers() {
    Instant now = clock.instant();
    long until = now.plusSeconds(1_000).toEpochMilli();
    Map<String, Made> many = new TreeMap<>();
    int share = TicketBook.MOST * 3 / 4;
    for (int i = 0; i < share; i++) {
      many.put("t" + i, new Made("greedy", until, List.of(), false));
    }
    TicketBook used = new TicketBook(1, many);
    assertThatThrownBy(() -> used.with("more", new Made("greedy", until, List.of(), false), now))
        .isInstanceOf(RnsException.class).hasMessageContaining(share + " tickets");
    assertThat(used.with("other", new Made("modest", until, List.of(), false), now).tickets()).hasSize(share + 1);
    // What there is can be revoked all the same.
    assertThat(used.revoked("t1", now).find("t1").orElseThrow().revoked()).isTrue();

    String caveat = "path:/" + "x".repeat(5_000);
    TicketBook large = TicketBook.EMPTY;
    int count = 0;
    // (2 << 20) * 3 / 4 characters, in tickets of 5,012.
    for (; count < 313; count++) {
      large = large.with("t" + count, new Made("greedy", until, List.of(caveat), false), now);
    }
    TicketBook largest = large;
    assertThatThrownBy(() -> largest.with("more", new Made("greedy", until, List.of(caveat), false), now))
        .isInstanceOf(RnsException.class).hasMessageContaining("characters");
    assertThat(largest.with("other", new Made("modest", until, List.of(caveat), false), now).find("other")).isPresent();
  }
}
