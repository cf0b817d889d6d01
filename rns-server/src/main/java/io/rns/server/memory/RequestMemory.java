package io.rns.server.memory;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.share.FairPlaces;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one request holds of a {@link MemoryPool}, until its answer has been sent. For one thread at a time; the one
 * that works at the request finds it by {@link #current}.
 */
public final class RequestMemory implements AutoCloseable {
  /** What a request may hold without asking: most never need more. */
  public static final int FREE_BYTES = MemoryPool.UNIT_BYTES;

  /** How long an answer that has begun waits for others, which are cut when their clients do not read. */
  private static final Duration PATIENCE = Duration.ofSeconds(25);

  private static final long RETRY_MILLIS = 200;
  private static final Duration BODY_WAIT = Duration.ofSeconds(15);
  private static final ThreadLocal<@Nullable RequestMemory> CURRENT = new ThreadLocal<>();

  private final @Nullable MemoryPool pool;
  private final Supplier<String> accounts;
  private @Nullable String account;
  private Duration wait = Duration.ZERO;
  private long held;
  private long read;
  private int units;
  private int reserved;
  private int bodyUnits;
  private boolean hasTurn;

  RequestMemory(@Nullable MemoryPool pool, Supplier<String> accounts) {
    this.pool = pool;
    this.accounts = accounts;
  }

  /** Whose share it takes; asked for once, since the request may have ended when it is given back. */
  public String account() {
    String known = account;
    if (known == null) {
      known = accounts.get();
      account = known;
    }
    return known;
  }

  /** Of the request that this thread works at; if it works at none, memory that nothing bounds. */
  public static RequestMemory current() {
    RequestMemory known = CURRENT.get();
    return known == null ? new RequestMemory(null, () -> "") : known;
  }

  /** This thread works at the request, until it ends or {@link #unbind} is called. */
  public void bind() {
    CURRENT.set(this);
  }

  /** This thread works at no request. */
  public static void unbind() {
    CURRENT.remove();
  }

  /** From now on it waits for others: the answer has begun, and the client must not take a part for the whole. */
  public void bePatient() {
    wait = PATIENCE;
  }

  /**
   * Takes more; a patient request waits for it. Nobody may wait so with a connection to the database.
   *
   * @throws RnsException {@link RnsError#BUSY} if other requests have what there is
   */
  public void take(long bytes) {
    take(bytes, wait);
  }

  /**
   * Takes more, or does not.
   *
   * @throws RnsException {@link RnsError#BUSY} if other requests have what there is
   */
  public void takeNow(long bytes) {
    take(bytes, Duration.ZERO);
  }

  private void take(long bytes, Duration most) {
    int needed = units(held + bytes);
    if (pool != null && needed > units) {
      take(pool, needed - units, bytes, most);
      units = needed;
    }
    held += bytes;
  }

  private void take(MemoryPool from, int more, long bytes, Duration most) {
    boolean waits = most.isPositive() && hasTurn;
    try {
      if (waits && from.take(account(), more, Duration.ZERO) == FairPlaces.Result.TAKEN) {
        return;
      }
      if (waits) {
        // Those who hold the memory may need the turn to give it back.
        passTurn();
      }
      switch (from.take(account(), more, most)) {
        case TAKEN -> {
          if (waits) {
            awaitTurn();
          }
        }
        case OWN_LIMIT ->
          throw busy(
              "the requests of this caller hold too much, and this one needs " + bytes
                  + " bytes more; its own limit is "
                  + (long) from.shared().limit(account()) * MemoryPool.UNIT_BYTES
                  + " bytes, three quarters of what others leave of " + from.bytes());
        case NONE_FREE ->
          throw busy(
              "the requests being answered hold " + from.taken() + " bytes, and this one needs " + bytes
                  + " more; the limit of the server is " + from.bytes() + " bytes");
      }
    } catch (InterruptedException e) {
      throw stopping(e);
    }
  }

  private static RnsException busy(String why) {
    return RnsException.busy(why + "; come back in " + RETRY_MILLIS + " ms", RETRY_MILLIS);
  }

  /**
   * Waits for room for a body, or for more of it: what is not read stays with its client. To be called before a body is
   * read, by a thread that may wait.
   *
   * @throws RnsException {@link RnsError#BUSY} if there is none for 15 s
   */
  public void takeBody(long bytes) {
    int more = units(bytes);
    if (pool == null || more == 0) {
      return;
    }
    try {
      bodyUnits += switch (pool.bodies().take(account(), more, BODY_WAIT)) {
        case TAKEN -> more;
        case OWN_LIMIT ->
          throw busy(
              "other requests of this caller are sending " + BODY_WAIT.toSeconds() + " s already; its own limit is "
                  + (long) pool.bodies().limit(account()) * MemoryPool.UNIT_BYTES
                  + " bytes, three quarters of what others leave of "
                  + (long) pool.bodies().all() * MemoryPool.UNIT_BYTES);
        case NONE_FREE ->
          throw busy(
              "other requests are sending " + BODY_WAIT.toSeconds() + " s already, and leave no room for one of "
                  + bytes
                  + " bytes");
      };
    } catch (InterruptedException e) {
      throw stopping(e);
    }
  }

  /**
   * Makes sure of room for the next read, which may not wait; until {@link #keepRead}.
   *
   * @throws RnsException as {@link #take}
   */
  public void reserve(long bytes) {
    take(bytes);
    reserved = units;
    giveBack(bytes);
  }

  /** Gives back a part of what was taken. */
  public void giveBack(long bytes) {
    held -= bytes;
    int needed = Math.max(reserved, units(held));
    if (pool != null && needed < units) {
      pool.shared().giveBack(account(), units - needed);
      units = needed;
    }
  }

  private static RnsException stopping(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new RnsException(RnsError.UNAVAILABLE, "the service is stopping", e);
  }

  /** Whether it has to wait for its turn before it takes so much. */
  public boolean needsTurn(long bytes) {
    return pool != null && !hasTurn && units(held + bytes) > 0;
  }

  /**
   * Waits until it is this request's turn among the large ones. Nobody may wait so with a connection to the database.
   *
   * @throws RnsException {@link RnsError#BUSY} if that lasts too long
   */
  public void awaitTurn() {
    if (pool == null || hasTurn) {
      return;
    }
    try {
      if (pool.turns().take(account(), 1, PATIENCE) != FairPlaces.Result.TAKEN) {
        throw busy("too many large requests wait for their turn");
      }
      hasTurn = true;
    } catch (InterruptedException e) {
      throw stopping(e);
    }
  }

  /** It is another one's turn, until {@link #awaitTurn}: this request waits for its client. */
  public void passTurn() {
    if (pool != null && hasTurn) {
      hasTurn = false;
      pool.turns().giveBack(account(), 1);
    }
  }

  /** Passes the turn on if somebody waits for one, and waits for the next. */
  public void takeTurns() {
    if (pool != null && hasTurn && pool.turns().hasWaiting()) {
      passTurn();
      awaitTurn();
    }
  }

  /** Keeps what was taken for reading entries until the next read: then they have been written. */
  public void keepRead(long bytes) {
    read += bytes;
    reserved = 0;
    giveBack(0);
  }

  /** The entries read before are no longer needed. */
  public void dropRead() {
    giveBack(read);
    read = 0;
  }

  private static int units(long bytes) {
    return bytes <= FREE_BYTES ? 0 : (int) Math.ceilDiv(bytes, MemoryPool.UNIT_BYTES);
  }

  /** Gives everything back. */
  @Override
  public void close() {
    passTurn();
    reserved = 0;
    giveBack(held);
    read = 0;
    if (pool != null && bodyUnits > 0) {
      pool.bodies().giveBack(account(), bodyUnits);
      bodyUnits = 0;
    }
  }
}
