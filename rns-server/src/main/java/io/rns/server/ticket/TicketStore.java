package io.rns.server.ticket;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.TicketBook;
import io.rns.identity.TicketSource;
import io.rns.operator.OperatorKey;
import io.rns.server.http.ServerJson;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.store.PartitionRecordTable;
import io.rns.server.store.PartitionRecordTable.Kind;
import io.rns.server.store.PartitionRecordTable.Row;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tickets of a tree, read once a second: from the database of the group that owns the root, by servers of other
 * groups from the primary of that group. What was read more than {@link #FRESH} ago is not used any more: a ticket may
 * have been revoked since. Thread-safe.
 */
public final class TicketStore implements TicketSource, AutoCloseable {
  /** How long a server goes on without its database. */
  static final Duration FRESH = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(TicketStore.class);
  private static final long EVERY_MILLIS = 1_000;

  /** The tickets are one document. */
  private static final long NUMBER = 1;

  private final Supplier<@Nullable LocalNameService> copy;
  private final boolean isRootHere;
  private final RootTickets root;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread reader = Thread.ofPlatform().name("rns-tickets").daemon().unstarted(this::run);
  private volatile State state;

  /**
   * What was read.
   *
   * @param digest as the primary of the root's group named it; empty if it was not read there
   */
  private record State(TicketBook book, String digest, long generation, long readNanos) {}

  /**
   * A store; nothing is read before {@link #start}.
   *
   * @param copy the namespace of this server; null while there is none
   * @param isRootHere whether the group of this server owns the root
   * @param root the primary of the group that owns the root, asked by all others
   */
  public TicketStore(
      Supplier<@Nullable LocalNameService> copy, boolean isRootHere, RootTickets root, InstantSource clock) {
    this(copy, isRootHere, root, clock, System::nanoTime);
  }

  TicketStore(
      Supplier<@Nullable LocalNameService> copy, boolean isRootHere, RootTickets root, InstantSource clock,
      LongSupplier nanos) {
    this.copy = copy;
    this.isRootHere = isRootHere;
    this.root = root;
    this.clock = clock;
    this.nanos = nanos;
    this.state = new State(TicketBook.EMPTY, "", 0, nanos.getAsLong() - FRESH.toNanos() - 1);
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

  /** Reads once. */
  void refresh() {
    long began = nanos.getAsLong();
    try {
      if (!isRootHere) {
        TicketsJson read = root.read(state.digest());
        TicketBook book = read.book();
        publish(book == null ? state.book() : book, read.digest(), began);
      } else {
        LocalNameService names = copy.get();
        if (names != null) {
          publish(book(row(names)), "", began);
        }
      }
    } catch (RuntimeException e) {
      LOG.debug("tickets cannot be read: {}", e.toString());
    }
  }

  private synchronized void publish(TicketBook book, String digest, long readNanos) {
    State before = state;
    if (readNanos - before.readNanos() >= 0) {
      state = new State(book, digest, before.generation() + (book.equals(before.book()) ? 0 : 1), readNanos);
    }
  }

  private static byte[] row(LocalNameService names) {
    List<Row> rows =
        names.partitionRecords(connection -> PartitionRecordTable.find(connection, Kind.TICKETS, NUMBER));
    return rows.isEmpty() ? new byte[0] : rows.getFirst().document();
  }

  private static TicketBook book(byte[] document) {
    try {
      return document.length == 0 ? TicketBook.EMPTY : ServerJson.MAPPER.readValue(document, TicketBook.class);
    } catch (IOException e) {
      throw new RnsException(RnsError.INTERNAL, "the tickets in the database cannot be read", e);
    }
  }

  @Override
  public Optional<TicketBook> book() {
    State now = state;
    return nanos.getAsLong() - now.readNanos() > FRESH.toNanos() ? Optional.empty() : Optional.of(now.book());
  }

  @Override
  public long generation() {
    // Also another one if it is too old: what was accepted before is looked at again.
    return book().isEmpty() ? -1 : state.generation();
  }

  /**
   * At the primary of the root's group: what is true now, for servers of other groups.
   *
   * @param digest of what the other one knows
   * @throws RnsException {@link RnsError#NOT_PRIMARY} elsewhere, {@link RnsError#UNAVAILABLE} if that is not known now
   */
  public TicketsJson tell(String digest) {
    LocalNameService names = here();
    byte[] document = row(names);
    // Afterwards: no other primary has taken a change when this was read.
    names.checkLatest();
    String now = OperatorKey.digest(document);
    return new TicketsJson(now, now.equals(digest) ? null : book(document));
  }

  private LocalNameService here() {
    LocalNameService names = copy.get();
    if (names == null) {
      throw new RnsException(RnsError.UNAVAILABLE, "the server is starting");
    }
    if (!isRootHere) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the group of this server does not own the root");
    }
    return names;
  }

  /**
   * Changes the tickets, at whichever server.
   *
   * @return the tickets then; a replica of the root's group reads them from its database later
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the primary of the root's group or its database does not
   *         answer, {@link RnsError#NOT_PRIMARY} if this server has just ceased to be that
   */
  TicketBook change(TicketChange change) {
    if (isRootHere) {
      LocalNameService names = copy.get();
      // A copy may be behind: it does not decide which tickets there are.
      return names == null || names.isPrimary() ? changeHere(change) : root.change(change);
    }
    long began = nanos.getAsLong();
    TicketBook next = root.change(change);
    publish(next, "", began);
    return next;
  }

  /**
   * The same at the primary of the root's group.
   *
   * @throws RnsException also {@link RnsError#INVALID_REQUEST} in other groups
   */
  public synchronized TicketBook changeHere(TicketChange change) {
    LocalNameService names = here();
    TicketBook next = change.apply(book(row(names)), clock.instant());
    try {
      long unused = names.writePartitionRecord(Kind.TICKETS, NUMBER, ServerJson.MAPPER.writeValueAsBytes(next));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
    publish(next, "", nanos.getAsLong());
    return next;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
