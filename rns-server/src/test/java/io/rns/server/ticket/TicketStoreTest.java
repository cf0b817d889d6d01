package io.rns.server.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.TicketBook;
import io.rns.identity.TicketBook.Made;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a server of a group that does not own the root knows of tickets. */
class TicketStoreTest {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final Made MADE = new Made("local:alice", NOW.plusSeconds(60).toEpochMilli(), List.of(), false);

  private final AtomicLong nanos = new AtomicLong();
  private final Primary primary = new Primary();
  private final TicketStore store =
      new TicketStore(() -> null, false, primary, InstantSource.fixed(NOW), nanos::get);

  @AfterEach
  void close() {
    store.close();
  }

  /** The primary of the root's group. */
  private static final class Primary implements RootTickets {
    private TicketBook book = TicketBook.EMPTY;
    private boolean reachable = true;
    private int sent;

    private void check() {
      if (!reachable) {
        throw new RnsException(RnsError.UNAVAILABLE, "out of reach");
      }
    }

    @Override
    public TicketsJson read(String digest) {
      check();
      String now = "digest-" + book.hashCode();
      if (now.equals(digest)) {
        return new TicketsJson(now, null);
      }
      sent++;
      return new TicketsJson(now, book);
    }

    @Override
    public TicketBook change(TicketChange change) {
      check();
      book = change.apply(book, NOW);
      return book;
    }
  }

  private boolean isRevoked(String id) {
    return store.book().orElseThrow().find(id).orElseThrow().revoked();
  }

  @Test
  void followsThePrimaryOfTheRootsGroup() {
    assertThat(store.book()).as("nothing is known yet").isEmpty();
    store.refresh();
    assertThat(store.book()).contains(TicketBook.EMPTY);
    long before = store.generation();
    TicketBook unused = primary.change(TicketChange.add("a", MADE));
    store.refresh();
    assertThat(isRevoked("a")).isFalse();
    assertThat(store.generation()).isNotEqualTo(before);
    unused = primary.change(TicketChange.revoke("a", "local:alice"));
    long known = store.generation();
    store.refresh();
    store.refresh();
    assertThat(isRevoked("a")).isTrue();
    assertThat(store.generation()).isNotEqualTo(known);
    assertThat(primary.sent).as("only what has changed is sent").isEqualTo(3);
  }

  @Test
  void changesAreThePrimarysAndKnownHereAtOnce() {
    assertThat(store.change(TicketChange.add("a", MADE)).find("a")).isPresent();
    assertThat(primary.book.find("a")).isPresent();
    for (String maker : new String[]{"local:bob", "local:alic"}) {
      assertThatThrownBy(() -> store.change(TicketChange.revoke("a", maker)))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NO_SUCH_ENTRY));
    }
    assertThat(store.change(TicketChange.revoke("a", null)).find("a").orElseThrow().revoked()).isTrue();
    assertThat(isRevoked("a")).isTrue();
    assertThat(store.change(TicketChange.renewKey()).key()).isEqualTo(2);
    assertThat(store.book().orElseThrow()).isEqualTo(primary.book);
    // It has no tickets of its own to tell or change.
    assertThatThrownBy(() -> store.tell("")).isInstanceOf(RnsException.class);
    assertThatThrownBy(() -> store.changeHere(TicketChange.renewKey())).isInstanceOf(RnsException.class);
    assertThat(primary.book.key()).isEqualTo(2);
  }

  @Test
  void withoutThePrimaryNoTicketIsAcceptedAfterHalfAMinute() {
    TicketBook unused = store.change(TicketChange.add("a", MADE));
    long before = store.generation();
    primary.reachable = false;
    nanos.addAndGet(TicketStore.FRESH.toNanos());
    store.refresh();
    assertThat(store.book()).isPresent();
    assertThat(store.generation()).isEqualTo(before);
    nanos.addAndGet(1);
    assertThat(store.book()).isEmpty();
    assertThat(store.generation()).as("what was accepted is verified again").isNotEqualTo(before);
    assertThatThrownBy(() -> store.change(TicketChange.renewKey())).isInstanceOf(RnsException.class);
    primary.reachable = true;
    store.refresh();
    assertThat(store.book().orElseThrow().find("a")).isPresent();
    assertThat(TicketStore.FRESH).isEqualTo(Duration.ofSeconds(30));
  }
}
