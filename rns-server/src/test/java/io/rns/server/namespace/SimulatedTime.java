package io.rns.server.namespace;

import io.rns.replication.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time with threads that wait in it, of which one runs at a time: so all that happens is a function of the
 * seed.
 */
public final class SimulatedTime implements Timing {
  /** A process has ended, and with it its threads. */
  static final class ProcessEnded extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A process, which may end, or stand still for some time. */
  public static final class Machine {
    private boolean ended;
    private boolean paused;
    private final List<Runnable> deferred = new ArrayList<>();
  }

  private record Event(long at, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
  }

  /** A thread of a process. */
  final class Strand {
    private final Machine process;
    private final Thread thread;
    private volatile boolean turn;

    private Strand(Machine process, Runnable task) {
      this.process = process;
      this.thread = Thread.ofVirtual().unstarted(() -> {
        try {
          awaitTurn();
          task.run();
        } catch (ProcessEnded e) {
          // So it ends.
        } catch (RuntimeException | Error e) {
          fail(e);
        }
        strands.remove(this);
        giveBack();
      });
    }

    private void awaitTurn() {
      while (!turn) {
        LockSupport.park();
      }
      turn = false;
      checkAlive();
    }

    private void checkAlive() {
      if (closing || process.ended) {
        throw new ProcessEnded();
      }
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Set<Strand> strands = new LinkedHashSet<>();
  private final SplittableRandom ties;
  private final Thread main = Thread.currentThread();
  private volatile boolean mainTurn;
  private long now;
  private long number;
  private boolean closing;
  private @Nullable Strand current;
  private @Nullable Throwable failure;

  /** A beginning. */
  public SimulatedTime(long seed) {
    ties = new SplittableRandom(seed);
  }

  /** What clocks show. */
  public Instant instant() {
    return Instant.EPOCH.plusSeconds(86_400).plusNanos(now).truncatedTo(ChronoUnit.MICROS);
  }

  @Override
  public long nanoTime() {
    return now;
  }

  /** Runs an action later; it must not wait. */
  public void after(Duration time, Runnable action) {
    // Chance decides among events of one moment.
    events.add(new Event(now + time.toNanos(), ((long) ties.nextInt() << Integer.SIZE) | number++, action));
  }

  /** Runs a task, which may wait, in a process. */
  public void start(Machine process, Runnable task) {
    Strand strand = new Strand(process, task);
    strands.add(strand);
    strand.thread.start();
    after(Duration.ZERO, () -> resume(strand));
  }

  private void resume(Strand strand) {
    if (strand.process.paused && !strand.process.ended && !closing) {
      strand.process.deferred.add(() -> resume(strand));
      return;
    }
    current = strand;
    strand.turn = true;
    LockSupport.unpark(strand.thread);
    while (!mainTurn) {
      LockSupport.park();
    }
    mainTurn = false;
    current = null;
  }

  private void giveBack() {
    mainTurn = true;
    LockSupport.unpark(main);
  }

  /** The running thread waits for {@link #wake}. */
  void park() {
    Strand strand = current();
    giveBack();
    strand.awaitTurn();
  }

  Strand current() {
    if (current == null) {
      throw new IllegalStateException("an event must not wait");
    }
    return current;
  }

  void wake(Strand strand) {
    after(Duration.ZERO, () -> resume(strand));
  }

  @Override
  public void pause(Duration time) {
    Strand strand = current();
    strand.checkAlive();
    after(time, () -> resume(strand));
    park();
  }

  /** Ends a process. */
  void end(Machine process) {
    process.ended = true;
    resumeDeferred(process);
  }

  boolean isRunning(Machine process) {
    return !process.ended && !process.paused;
  }

  boolean hasEnded(Machine process) {
    return process.ended;
  }

  /** A process stands still, or goes on. */
  public void pause(Machine process, boolean still) {
    process.paused = still;
    if (!still) {
      resumeDeferred(process);
    }
  }

  private void resumeDeferred(Machine process) {
    List<Runnable> all = List.copyOf(process.deferred);
    process.deferred.clear();
    all.forEach(each -> after(Duration.ZERO, each));
  }

  private void fail(Throwable e) {
    if (failure == null) {
      failure = e;
    }
  }

  /** Runs events until a time; what was thrown in one of them ends it. */
  public void runFor(Duration time) {
    long until = now + time.toNanos();
    while (failure == null && !events.isEmpty() && events.peek().at() <= until) {
      Event event = events.poll();
      now = event.at();
      event.action().run();
    }
    now = Math.max(now, until);
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }

  /** Ends all threads. */
  public void close() {
    closing = true;
    List.copyOf(strands).forEach(this::resume);
  }

  @Override
  public void runAll(List<Runnable> tasks) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void start(String name, Runnable task) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Lock newLock() {
    throw new UnsupportedOperationException();
  }
}
