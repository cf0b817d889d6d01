package io.rns.local;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one server and a group of them have in common: takes a data directory, which no other supervisor has at the same
 * time, writes down what runs on it, and stops all of it, in order and once. Safe to share between threads.
 */
final class Supervisor implements AutoCloseable {
  static final String NAME = "supervisor";

  /** What {@link #awaitEnd()} says when it was closed. */
  static final String STOPPED = "stopped";

  static final Duration LEFTOVER_BOUND = Duration.ofSeconds(60);

  private final DataDirectory data;
  private final Consumer<String> progress;
  private final JvmExit jvmExit = new JvmExit("stop the service", this::close);
  private final CompletableFuture<String> end = new CompletableFuture<>();
  private final List<MemberProcesses> members = new CopyOnWriteArrayList<>();

  // begin() and close() exclude each other by the monitor of this. A close() asks a begin() that still works to give
  // up,
  // and parts are started again also while begin() works, so what these need is not under that monitor.
  private volatile boolean closing;
  private final Object stateLock = new Object();
  private volatile @Nullable RunState state;
  private boolean ready;
  private boolean stateDeleted;
  private DataDirectory.@Nullable Lock lock;
  private boolean closed;

  Supervisor(DataDirectory data, Consumer<String> progress) {
    this.data = data;
    this.progress = progress;
  }

  /**
   * Takes the data directory, stops what a former run has left on it, and starts what {@code work} starts. If the JVM
   * ends, all is stopped first.
   *
   * @throws LocalServiceException if another service has the data directory or the work fails; nothing is left running
   *         then
   */
  void begin(Runnable work) {
    jvmExit.register();
    try {
      take(work);
    } catch (LocalServiceException | IllegalArgumentException e) {
      try {
        close();
      } catch (LocalServiceException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  private synchronized void take(Runnable work) {
    lock = data.tryLock().orElseThrow(() -> alreadyRunning(data));
    List<String> stopped = Leftovers.stop(Leftovers.on(data), LEFTOVER_BOUND);
    if (!stopped.isEmpty()) {
      progress.accept("stopped what a former run had left running: " + String.join(", ", stopped));
    }
    record();
    work.run();
    synchronized (stateLock) {
      ready = true;
    }
    record();
  }

  /** Watches over one more member. */
  void add(MemberProcesses member) {
    members.add(member);
  }

  /**
   * Does something to all members at the same time and waits until it is done.
   *
   * @throws LocalServiceException naming the first member that failed; the others were told to give up
   */
  void atOnce(Consumer<MemberProcesses> action) {
    AtomicReference<@Nullable LocalServiceException> failure = new AtomicReference<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<?>[] all =
          members.stream()
              .map(member -> CompletableFuture.runAsync(() -> act(member, action, failure), threads))
              .toArray(CompletableFuture[]::new);
      CompletableFuture.allOf(all).join();
    }
    LocalServiceException first = failure.get();
    if (first != null) {
      throw first;
    }
  }

  private void act(
      MemberProcesses member, Consumer<MemberProcesses> action,
      AtomicReference<@Nullable LocalServiceException> failure) {
    try {
      action.accept(member);
    } catch (LocalServiceException | IllegalArgumentException e) {
      LocalServiceException named = new LocalServiceException(member.says(String.valueOf(e.getMessage())), e);
      if (failure.compareAndSet(null, named)) {
        giveUp(String.valueOf(named.getMessage()));
      }
    }
  }

  /** Ends it all: it cannot go on, for this reason. */
  void giveUp(String reason) {
    end.complete(reason);
  }

  /** False; or ends a start that is no longer wanted. */
  boolean giveUpIfOver() {
    if (closing) {
      throw new LocalServiceException("stopped while starting");
    }
    if (end.isDone()) {
      throw new LocalServiceException(end.join());
    }
    return false;
  }

  /** Whether parts that end are meant to. */
  boolean isClosing() {
    return closing;
  }

  /** Waits until it cannot go on or was closed, and says which. */
  String awaitEnd() {
    return end.join();
  }

  /** What {@code run.json} says. */
  RunState state() {
    RunState now = state;
    if (now == null) {
      throw new IllegalStateException("nothing has been started");
    }
    return now;
  }

  /** Writes down what runs now. */
  void record() {
    synchronized (stateLock) {
      RunState now = RunState.of(ready, ProcessIdentity.current(NAME), members);
      state = now;
      if (!stateDeleted) {
        now.write(data.runFile());
      }
    }
  }

  /**
   * Stops the servers, then the databases, and gives the data directory free. May be called at any time, also again.
   */
  @Override
  public void close() {
    closing = true;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      jvmExit.unregister();
      atOnce(MemberProcesses::closeGlassFish);
      atOnce(MemberProcesses::closeDatabase);
      DataDirectory.Lock held = lock;
      if (held != null) {
        synchronized (stateLock) {
          stateDeleted = true;
          RunState.delete(data.runFile());
        }
        held.close();
        lock = null;
      }
      end.complete(STOPPED);
    }
  }

  /**
   * Checks that nothing runs on a data directory.
   *
   * @throws LocalServiceException naming the process and where it is reached
   */
  static void requireNoneOn(DataDirectory data) {
    data.tryLock().orElseThrow(() -> alreadyRunning(data)).close();
  }

  private static LocalServiceException alreadyRunning(DataDirectory data) {
    String who =
        RunState.read(data.runFile())
            .map(
                run -> " (process " + run.processes().getFirst().pid()
                    + (run.url() == null ? ", still starting)" : ", " + run.url() + ")"))
            .orElse("");
    return new LocalServiceException(
        "a service runs on " + data.root() + " already" + who + "; stop it with: ./rns down --data " + data.root());
  }
}
