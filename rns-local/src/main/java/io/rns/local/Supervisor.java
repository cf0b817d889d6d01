package io.rns.local;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Common to a single server and a group: locks a data directory, records the processes running on it, and stops them in
 * order, once. Thread-safe.
 */
final class Supervisor implements AutoCloseable {
  static final String NAME = "supervisor";

  /** The result of {@link #awaitEnd()} after a close. */
  static final String STOPPED = "stopped";

  static final Duration LEFTOVER_BOUND = Duration.ofSeconds(60);

  private static final long POLL_NANOS = Duration.ofMillis(100).toNanos();

  private final DataDirectory data;
  private final Consumer<String> progress;
  private final JvmExit jvmExit = new JvmExit("stop the service", this::close);
  private final CompletableFuture<String> end = new CompletableFuture<>();
  private final List<MemberProcesses> members = new CopyOnWriteArrayList<>();
  private final LocalFronts fronts;

  // The monitor of this object excludes begin() and close() from each other. close() asks a running begin() to give up,
  // and parts restart while begin() runs, so state used by these is not under that monitor.
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
    this.fronts = new LocalFronts(data, this, progress);
  }

  /** The fronts; none until they are started. */
  LocalFronts fronts() {
    return fronts;
  }

  /**
   * Locks the data directory, stops processes left by an earlier run, and runs {@code work}. Everything is stopped
   * before the JVM ends.
   *
   * @throws LocalServiceException if another service uses the data directory or the work fails; nothing is left running
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
      progress.accept("stopped processes left by a previous run: " + String.join(", ", stopped));
    }
    record();
    work.run();
    synchronized (stateLock) {
      ready = true;
    }
    record();
  }

  /** Watches one more member. */
  void add(MemberProcesses member) {
    members.add(member);
  }

  /**
   * Applies an action to all members concurrently and waits for it.
   *
   * @throws LocalServiceException naming the first member that failed; the others were asked to give up
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

  /** Ends everything for this reason. */
  void giveUp(String reason) {
    end.complete(reason);
  }

  /** Aborts a start that is no longer wanted by throwing; otherwise returns false. */
  boolean giveUpIfOver() {
    if (closing) {
      throw new LocalServiceException("stopped while starting");
    }
    if (end.isDone()) {
      throw new LocalServiceException(end.join());
    }
    return false;
  }

  /**
   * Waits for a condition.
   *
   * @param what the condition, for the message
   * @throws LocalServiceException if it does not hold in time, or everything ends
   */
  void await(Supplier<String> what, Duration bound, BooleanSupplier condition) {
    if (!awaitAtMost(bound, condition)) {
      throw new LocalServiceException(bound.toSeconds() + " s passed before " + what.get());
    }
  }

  /**
   * Waits for a condition that need not come.
   *
   * @return whether it holds
   * @throws LocalServiceException if everything ends
   */
  boolean awaitAtMost(Duration bound, BooleanSupplier condition) {
    long end = System.nanoTime() + bound.toNanos();
    boolean holds = condition.getAsBoolean();
    while (!holds && System.nanoTime() - end <= 0) {
      giveUpIfOver();
      LockSupport.parkNanos(POLL_NANOS);
      holds = condition.getAsBoolean();
    }
    return holds;
  }

  /** Whether the end of a part is expected. */
  boolean isClosing() {
    return closing;
  }

  /** Waits until it fails or is closed, and returns the reason. */
  String awaitEnd() {
    return end.join();
  }

  /** The content of {@code run.json}. */
  RunState state() {
    RunState now = state;
    if (now == null) {
      throw new IllegalStateException("nothing has been started");
    }
    return now;
  }

  /** Records the current state. */
  void record() {
    synchronized (stateLock) {
      RunState now = RunState.of(ready, ProcessIdentity.current(NAME), members, fronts.running());
      state = now;
      if (!stateDeleted) {
        now.write(data.runFile());
      }
    }
  }

  /**
   * Stops the fronts, the servers, then the databases, and releases the data directory. May be called at any time, and
   * repeatedly.
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
      fronts.close();
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
   * Checks that no service runs on a data directory.
   *
   * @throws LocalServiceException naming the process and its address
   */
  static void requireNoneOn(DataDirectory data) {
    data.tryLock().orElseThrow(() -> alreadyRunning(data)).close();
  }

  private static LocalServiceException alreadyRunning(DataDirectory data) {
    Optional<RunState> running = RunState.read(data.runFile());
    String who =
        running.map(
            run -> " (process " + run.processes().getFirst().pid()
                + (run.url() == null ? ", still starting)" : ", " + run.url() + ")"))
            .orElse("");
    String fronts = running.filter(run -> run.fronts() != null)
        .map(run -> ", upgrade its fronts without stopping it with: ./rns front migrate --data " + data.root())
        .orElse("");
    return new LocalServiceException(
        "a service is already running on " + data.root() + who + "; stop it with: ./rns down --data " + data.root()
            + fronts);
  }
}
