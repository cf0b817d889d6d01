package io.rns.server.ticket;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.TicketBook;
import io.rns.identity.TicketSource;
import io.rns.server.http.ServerJson;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.store.PartitionRecordTable;
import io.rns.server.store.PartitionRecordTable.Kind;
import io.rns.server.store.PartitionRecordTable.Row;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tickets in the database of the group, which all its servers read once a second. What was read more than
 * {@link #FRESH} ago is not used any more: a ticket may have been revoked since. Thread-safe.
 */
public final class TicketStore implements TicketSource, AutoCloseable {
  /** How long a server goes on without its database. */
  static final Duration FRESH = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(TicketStore.class);
  private static final long EVERY_MILLIS = 1_000;

  /** The tickets are one document. */
  private static final long NUMBER = 1;

  private final Supplier<@Nullable LocalNameService> copy;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread reader = Thread.ofPlatform().name("rns-tickets").daemon().unstarted(this::run);
  private volatile State state = new State(TicketBook.EMPTY, 0, System.nanoTime() - FRESH.toNanos() - 1);

  private record State(TicketBook book, long generation, long readNanos) {}

  /**
   * A store; nothing is read before {@link #start}.
   *
   * @param copy the namespace of this server; null while there is none
   */
  public TicketStore(Supplier<@Nullable LocalNameService> copy) {
    this.copy = copy;
  }

  /** Begins to read. */
  public void start() {
    reader.start();
  }

  private void run() {
    try {
      do {
        refresh();
      } while (!closed.await(EVERY_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void refresh() {
    LocalNameService names = copy.get();
    if (names != null) {
      try {
        long began = System.nanoTime();
        publish(read(names), began);
      } catch (RuntimeException e) {
        LOG.debug("tickets cannot be read: {}", e.toString());
      }
    }
  }

  private synchronized void publish(TicketBook book, long readNanos) {
    State before = state;
    if (readNanos - before.readNanos() >= 0) {
      state = new State(book, before.generation() + (book.equals(before.book()) ? 0 : 1), readNanos);
    }
  }

  private static TicketBook read(LocalNameService names) {
    List<Row> rows =
        names.partitionRecords(connection -> PartitionRecordTable.find(connection, Kind.TICKETS, NUMBER));
    try {
      return rows.isEmpty() ? TicketBook.EMPTY
          : ServerJson.MAPPER.readValue(rows.getFirst().document(), TicketBook.class);
    } catch (IOException e) {
      throw new RnsException(RnsError.INTERNAL, "the tickets in the database cannot be read", e);
    }
  }

  @Override
  public Optional<TicketBook> book() {
    State now = state;
    return System.nanoTime() - now.readNanos() > FRESH.toNanos() ? Optional.empty() : Optional.of(now.book());
  }

  @Override
  public long generation() {
    // Also another one if it is too old: what was accepted before is looked at again.
    return book().isEmpty() ? -1 : state.generation();
  }

  /**
   * At the primary: changes the tickets.
   *
   * @return the tickets then
   * @throws RnsException {@link RnsError#NOT_PRIMARY} elsewhere, {@link RnsError#UNAVAILABLE} if the database does not
   *         answer
   */
  synchronized TicketBook change(UnaryOperator<TicketBook> change) {
    LocalNameService names = copy.get();
    if (names == null) {
      throw new RnsException(RnsError.UNAVAILABLE, "the server is starting");
    }
    TicketBook next = change.apply(read(names));
    try {
      long unused = names.writePartitionRecord(Kind.TICKETS, NUMBER, ServerJson.MAPPER.writeValueAsBytes(next));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
    publish(next, System.nanoTime());
    return next;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
