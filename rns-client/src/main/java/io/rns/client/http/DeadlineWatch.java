package io.rns.client.http;

import io.rns.client.call.Deadline;
import io.rns.client.call.Ticker;
import java.io.IOException;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Closes the sockets of exchanges that have not ended at their deadline. A socket's own timeout is of one read only,
 * there is none for writing, and a socket that ever had one takes three system calls for each read from then on instead
 * of one.
 *
 * <p>Its one thread starts with the first socket. It sleeps until the earliest deadline of those that run, so it seldom
 * wakes however many exchanges there are: most have ended long before.
 */
final class DeadlineWatch implements AutoCloseable {
  private final Ticker ticker;
  private final Set<Guard> guards = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Thread thread;
  private volatile boolean closed;

  /** When the thread wakes next; an exchange whose deadline is earlier wakes it. */
  private volatile long wakesAt;

  DeadlineWatch(Ticker ticker) {
    this.ticker = ticker;
    this.wakesAt = never();
  }

  /** A guard of a socket, which watches nothing yet. */
  Guard guard(Socket socket) {
    Guard guard = new Guard(socket);
    guards.add(guard);
    if (thread == null) {
      start();
    }
    return guard;
  }

  private synchronized void start() {
    if (thread == null && !closed) {
      Thread started = new Thread(this::run, "rns-client-deadlines");
      started.setDaemon(true);
      started.start();
      thread = started;
    }
  }

  private void run() {
    while (!closed) {
      // Before it looks: an exchange that starts meanwhile wakes it, and it looks once more.
      wakesAt = never();
      long earliest = wakesAt;
      for (Guard guard : guards) {
        Deadline deadline = guard.running.get();
        if (deadline != null && deadline.nanosLeft() <= 0) {
          guard.breakOff(deadline);
        } else if (deadline != null && deadline.at() - earliest < 0) {
          earliest = deadline.at();
        }
      }
      wakesAt = earliest;
      LockSupport.parkNanos(this, Math.max(1, earliest - ticker.nanos()));
    }
  }

  private long never() {
    return ticker.nanos() + TimeUnit.DAYS.toNanos(10_000);
  }

  private void wake() {
    LockSupport.unpark(thread);
  }

  /** Breaks off what still runs, and whatever begins later. */
  @Override
  public void close() {
    closed = true;
    for (Guard guard : guards) {
      Deadline deadline = guard.running.get();
      if (deadline != null) {
        guard.breakOff(deadline);
      }
    }
    wake();
  }

  /** The watch over one socket. Used by one thread at a time, beside that of the watch. */
  final class Guard implements AutoCloseable {
    private final Socket socket;
    private final AtomicReference<@Nullable Deadline> running = new AtomicReference<>();

    private Guard(Socket socket) {
      this.socket = socket;
    }

    /** From now on the socket is closed at the deadline, which makes what waits for it fail. */
    void begin(Deadline deadline) {
      running.set(deadline);
      if (deadline.at() - wakesAt < 0) {
        wake();
      }
      if (closed) {
        breakOff(deadline);
      }
    }

    /** Ends that; false if the deadline was first. */
    boolean end() {
      return running.getAndSet(null) != null;
    }

    private void breakOff(Deadline passed) {
      if (!running.compareAndSet(passed, null)) {
        return;
      }
      try {
        // Without lingering: what was not sent is not worth waiting for.
        socket.setSoLinger(true, 0);
        socket.close();
      } catch (IOException e) {
        // It is closed all the same, and the exchange says why.
        return;
      }
    }

    @Override
    public void close() {
      guards.remove(this);
    }
  }
}
