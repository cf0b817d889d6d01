package io.rns.server.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.identity.TicketBook;
import io.rns.identity.TicketBook.Made;
import io.rns.server.TestDatabase;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.namespace.TestServices;
import io.rns.server.store.Database;
import io.rns.server.store.DatabaseSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tickets at a replica of the group that owns the root, over one database. */
@Tag("server")
class ReplicaTicketsTest {
  private static Database database;
  private static LocalNameService primary;
  private static LocalNameService replica;

  @BeforeAll
  static void open() {
    Duration bound = Duration.ofSeconds(60);
    database =
        new Database(
            new DatabaseSettings(
                TestDatabase.sharedUrl(), "rns", "rns", 4, bound, bound, Duration.ofMinutes(30), bound, 0));
    database.migrate();
    primary = LocalNameService.start(database, 1 << 20, TestServices.WRITER, InstantSource.system());
    replica = LocalNameService.open(database, 1 << 20, TestServices.WRITER, InstantSource.system());
  }

  @AfterAll
  static void close() {
    replica.close();
    primary.close();
    database.close();
  }

  /** Asks the store of the primary, as a signed request does. */
  private record AtPrimary(TicketStore store) implements RootTickets {
    @Override
    public TicketsJson read(String digest) {
      return store.tell(digest);
    }

    @Override
    public TicketBook change(TicketChange change) {
      return store.changeHere(change);
    }
  }

  /** Its copy may be behind, so that it is not the one that decides which tickets there are. */
  @Test
  void aReplicaLetsThePrimaryMakeAndRevokeTickets() {
    RootTickets none = new RootTickets() {
      @Override
      public TicketsJson read(String digest) {
        throw new AssertionError("the primary asks nobody");
      }

      @Override
      public TicketBook change(TicketChange change) {
        throw new AssertionError("the primary asks nobody");
      }
    };
    try (TicketStore leading = new TicketStore(() -> primary, true, none, InstantSource.system());
        TicketStore following =
            new TicketStore(() -> replica, true, new AtPrimary(leading), InstantSource.system())) {
      String id = UUID.randomUUID().toString();
      Made made = new Made("local:alice", Instant.now().plusSeconds(60).toEpochMilli(), List.of(), false);
      assertThat(following.change(TicketChange.add(id, made)).find(id)).contains(made);
      assertThat(leading.book().orElseThrow().find(id)).contains(made);
      assertThat(following.change(TicketChange.revoke(id, "local:alice")).find(id).orElseThrow().revoked()).isTrue();
      assertThat(leading.book().orElseThrow().find(id).orElseThrow().revoked()).isTrue();
      // What it accepts follows its own database.
      assertThat(following.book()).isEmpty();
      following.refresh();
      assertThat(following.book().orElseThrow().find(id).orElseThrow().revoked()).isTrue();
    }
  }
}
