package io.rns.local;

import io.rns.local.LocalGroupCalls.View;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Gives a group of servers a primary if it has none. Thread-safe. */
final class GroupPrimary {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

  private final List<MemberProcesses> members;
  private final LocalGroupCalls calls;
  private final Supervisor supervisor;
  private final Consumer<String> progress;

  GroupPrimary(
      List<MemberProcesses> members, LocalGroupCalls calls, Supervisor supervisor, Consumer<String> progress) {
    this.members = List.copyOf(members);
    this.calls = calls;
    this.supervisor = supervisor;
    this.progress = progress;
  }

  /**
   * Waits until there is a primary. All databases start read-only, whatever their former role: one must be promoted.
   */
  void find() {
    while (true) {
      try {
        await();
        return;
      } catch (LocalServiceException e) {
        supervisor.giveUpIfOver();
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
        // While it runs, an operator can choose a primary.
        progress.accept(says(e.getMessage()));
      }
    }
  }

  private void await() {
    AtomicReference<String> said = new AtomicReference<>("");
    supervisor.await(
        () -> "the group had a primary." + said.get(),
        BOUND,
        () -> {
          if (hasPrimary()) {
            return true;
          }
          Optional<String> refusal = calls.promoteBest(first().url());
          refusal.ifPresent(reason -> said.set(" " + first().says(reason)));
          return refusal.isEmpty();
        });
  }

  private boolean hasPrimary() {
    return members.stream().anyMatch(member -> calls.look(member.url()).filter(View::isPrimary).isPresent());
  }

  /** Promotes a server whenever there has been none for too long, until the supervisor closes. */
  void keep() {
    Thread.ofVirtual().name("watch for a primary").start(this::watch);
  }

  /**
   * A restarted database is read-only. If its server has restarted as well, no server knows that it was the primary's.
   */
  private void watch() {
    Leaderless leaderless = new Leaderless(System.nanoTime());
    String said = "";
    while (!supervisor.isClosing()) {
      LockSupport.parkNanos(LOOK_NANOS);
      List<Optional<View>> looks = members.stream().map(member -> calls.look(member.url())).toList();
      if (!Leaderless.is(looks)) {
        said = "";
      }
      if (leaderless.isOverdue(looks, System.nanoTime()) && !supervisor.isClosing()) {
        said = promoteAgain(said);
      }
    }
  }

  /** Reports the obstacle unless it was reported before; returns it, or an empty string. */
  private String promoteAgain(String before) {
    if (before.isEmpty()) {
      progress.accept("no server has been the primary for " + Leaderless.PATIENCE.toSeconds() + " s; promoting one");
    }
    String refusal = calls.promoteBest(first().url()).orElse("");
    if (!refusal.equals(before) && !refusal.isEmpty() && !supervisor.isClosing()) {
      progress.accept(says(first().says(refusal)));
    }
    return refusal;
  }

  private MemberProcesses first() {
    return members.getFirst();
  }

  private static String says(@Nullable String obstacle) {
    return "the group has no primary: " + obstacle;
  }
}
