package io.rns.replication.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Events in virtual time, and threads that wait in it. One thread runs at a time: a thread that waits takes the next
 * events from the queue, until one of them resumes a thread, to which it hands over. So all that happens is a function
 * of the seed. Threads are kept for the next history.
 */
final class VirtualTime {
  /** A thread of a simulated process. */
  final class Strand {
    private final Thread thread;
    private @Nullable SimulatedProcess process;
    private @Nullable Runnable task;
    /** Counts its waits: a wait that is over is not resumed again. */
    private int waits;
    private boolean started;
    private volatile boolean running;

    private Strand(@Nullable Thread existing) {
      thread = existing != null ? existing : Thread.ofVirtual().unstarted(this::work);
      started = existing != null;
    }

    private void work() {
      while (true) {
        awaitTurn();
        runTask();
        busy.remove(this);
        idle.push(this);
        Strand next = closing ? main : next();
        if (next != this) {
          next.resume();
        } else {
          running = true;
        }
      }
    }

    private void runTask() {
      try {
        Runnable todo = task;
        task = null;
        if (todo != null && !closing) {
          todo.run();
        }
      } catch (ProcessKilled e) {
        // So it ends.
      } catch (RuntimeException | Error e) {
        fail(e);
      }
    }

    private void resume() {
      running = true;
      if (started) {
        LockSupport.unpark(thread);
      } else {
        started = true;
        thread.start();
      }
    }

    private void awaitTurn() {
      while (!running) {
        LockSupport.park();
      }
      running = false;
    }
  }

  private final EventQueue events = new EventQueue();
  private final ArrayDeque<Strand> idle = new ArrayDeque<>();
  private final Set<Strand> busy = new LinkedHashSet<>();
  private final Strand main = new Strand(Thread.currentThread());
  private RandomGenerator ties = new SplittableRandom(0);
  private long now;
  private long until;
  private int number;
  private boolean closing;
  private @Nullable Strand current;
  private @Nullable Strand resumed;
  private @Nullable Throwable failure;

  /** Nanoseconds since the history began. */
  long now() {
    return now;
  }

  /** Runs an action later; it must not wait. */
  void after(long nanos, Runnable action) {
    EventQueue.Event unused = schedule(nanos, action);
  }

  /** Runs an action later, unless it is cancelled before. */
  EventQueue.Event schedule(long nanos, Runnable action) {
    // Chance decides among events of one moment.
    long order = ((long) ties.nextInt() << Integer.SIZE) | number++;
    EventQueue.Event event = new EventQueue.Event(now + Math.max(0, nanos), order, action);
    events.add(event);
    return event;
  }

  /** Drops an event that would do nothing any more. */
  void cancel(EventQueue.Event event) {
    events.remove(event);
  }

  /** Runs a task, which may wait, on a thread of a process. */
  void start(SimulatedProcess process, Runnable task) {
    after(0, () -> process.deliver(() -> {
      Strand strand = idle.isEmpty() ? new Strand(null) : idle.pop();
      strand.process = process;
      strand.task = task;
      busy.add(strand);
      resumed = strand;
    }));
  }

  /** The running thread. */
  Strand current() {
    if (current == null) {
      throw new IllegalStateException("an event must not wait");
    }
    return current;
  }

  /** The running thread waits until a time has passed. */
  void pause(long nanos) {
    Strand strand = current();
    EventQueue.Event unused = wakeAfter(strand, nanos);
    await(strand);
  }

  /** The running thread waits until {@link #wake}, for a time at most if that is not negative. */
  void park(long mostNanos) {
    Strand strand = current();
    EventQueue.Event timeout = mostNanos < 0 ? null : wakeAfter(strand, mostNanos);
    await(strand);
    if (timeout != null) {
      cancel(timeout);
    }
  }

  /**
   * A wait that the running thread is about to begin. The thread may have other tasks later, and other waits.
   *
   * @param number of the wait
   */
  record Wait(Strand strand, int number) {}

  /** The next wait of the running thread. */
  Wait nextWait() {
    return new Wait(current(), current().waits);
  }

  /** Ends a wait, if it is not over. */
  void wake(Wait wait) {
    after(0, () -> resume(wait.strand(), wait.number()));
  }

  private EventQueue.Event wakeAfter(Strand strand, long nanos) {
    int wait = strand.waits;
    return schedule(nanos, () -> resume(strand, wait));
  }

  private void resume(Strand strand, int wait) {
    SimulatedProcess process = strand.process;
    if (strand.waits != wait || process == null) {
      return;
    }
    if (process.isPaused()) {
      process.deliver(() -> wakeAgain(strand, wait));
    } else {
      resumed = strand;
    }
  }

  private void wakeAgain(Strand strand, int wait) {
    after(0, () -> resume(strand, wait));
  }

  private void await(Strand strand) {
    if (closing) {
      throw new ProcessKilled();
    }
    Strand next = next();
    if (next != strand) {
      next.resume();
      strand.awaitTurn();
    }
    strand.waits++;
    if (closing) {
      throw new ProcessKilled();
    }
    SimulatedProcess process = strand.process;
    if (process != null) {
      process.checkAlive();
    }
  }

  /** Runs events until one of them resumes a thread, or the time is over. */
  private Strand next() {
    current = null;
    while (resumed == null) {
      EventQueue.Event event = events.first();
      if (failure != null || event == null || event.at() > until) {
        current = main;
        return main;
      }
      events.removeFirst();
      now = event.at();
      try {
        event.action().run();
      } catch (RuntimeException | Error e) {
        fail(e);
      }
    }
    Strand strand = resumed;
    resumed = null;
    current = strand;
    return strand;
  }

  private void fail(Throwable e) {
    if (failure == null) {
      failure = e;
    }
  }

  /** Runs the history up to a time; what was thrown ends it. */
  void runUntil(long nanos) {
    until = nanos;
    await(main);
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    now = Math.max(now, nanos);
  }

  /** Ends the threads of a history and begins another one. */
  void reset(long seed) {
    closing = true;
    List<Strand> waiting = new ArrayList<>(busy);
    for (Strand strand : waiting) {
      strand.resume();
      main.awaitTurn();
    }
    closing = false;
    events.clear();
    ties = new SplittableRandom(seed);
    now = 0;
    number = 0;
    failure = null;
    resumed = null;
  }
}
