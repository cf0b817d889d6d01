package io.rns.loadtest.drill;

import com.fasterxml.jackson.databind.JsonNode;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.drill.GroupOperator.Status;
import io.rns.loadtest.group.FaultyDisks.State;
import io.rns.loadtest.group.ServerGroup;
import io.rns.loadtest.group.ServerGroup.Member;
import io.rns.loadtest.launcher.Poll;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Injects faults, and waits until all servers serve again. */
record FaultInjector(
    ServerGroup group, GroupOperator operator, DrillSettings settings, Random random, Consumer<String> progress) {
  private static final Duration NOTICE = Duration.ofMillis(500);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration FAILOVER_BOUND = Duration.ofMinutes(2);
  private static final Duration RETURN_BOUND = Duration.ofMinutes(4);
  private static final int KILLS = 10;
  /** After so long in service, the launcher restarts what has crashed without a limit. */
  private static final Duration BETWEEN_KILLS = Duration.ofSeconds(10);
  private static final int MOST_BETWEEN_RETURNS_MILLIS = 5_000;

  /** Returns the name of the server that was the primary. */
  String inject(DrillFault fault) throws InterruptedException {
    Member primary = awaitPrimary(member -> true, RETURN_BOUND);
    List<Member> others = others(primary);
    switch (fault) {
      case SWITCHOVER -> progress.accept("  " + newPrimary(operator.act(others.getFirst().url(), "switchover")));
      case UNREACHABLE_TARGET -> switchTo(others.getFirst());
      case TWO_FAILOVERS -> failOverTo(others.subList(0, 2));
      case POWER_LOSS -> losePower();
      case TEN_KILLS -> killAgainAndAgain(fault, primary);
      default -> strike(fault, primary);
    }
    return primary.name();
  }

  private List<Member> others(Member primary) {
    return group.members().stream().filter(member -> member.index() != primary.index()).toList();
  }

  private void strike(DrillFault fault, Member primary) throws InterruptedException {
    long end = System.nanoTime() + settings.pause().toNanos();
    try {
      fault.begin(group, primary);
      Thread.sleep(NOTICE);
      // What was killed may be started again before another one leads.
      Predicate<Member> next = member -> !fault.lasts() || member.index() != primary.index();
      progress.accept("  primary " + awaitPrimary(next, FAILOVER_BOUND).url());
      if (fault.lasts()) {
        Thread.sleep(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      }
    } finally {
      fault.end(group, primary);
    }
  }

  private void switchTo(Member target) throws InterruptedException {
    group.cutDatabase(target);
    try {
      progress.accept("  " + ask(target, "switchover"));
    } finally {
      group.mend(target);
    }
  }

  private void failOverTo(List<Member> targets) throws InterruptedException {
    List<Callable<String>> operators = new ArrayList<>();
    targets.forEach(target -> operators.add(() -> ask(target, "failover?replace=true")));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<String> answer : threads.invokeAll(operators)) {
        progress.accept("  " + answer.resultNow());
      }
    }
  }

  /** What a server answers, which may refuse. */
  private String ask(Member server, String command) throws InterruptedException {
    try {
      return newPrimary(operator.act(server.url(), command));
    } catch (RnsException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** The members return in any order, the last one after a pause. */
  private void losePower() throws InterruptedException {
    List<Member> members = new ArrayList<>(group.members());
    try {
      members.forEach(member -> group.disks().set(member, State.OFF, true));
      List<Long> processes = members.stream().flatMap(DrillFault.POWER_LOSS::processes).toList();
      DrillFault.signal("KILL", processes);
      Poll.until("all have crashed", () -> processes.stream().noneMatch(pid -> ProcessHandle.of(pid).isPresent()));
      progress
          .accept("  lost " + members.stream().mapToLong(group.disks()::lose).sum() + " bytes that were not synced");
      Collections.shuffle(members, random);
      for (Member member : members.subList(0, members.size() - 1)) {
        Thread.sleep(random.nextInt(MOST_BETWEEN_RETURNS_MILLIS));
        progress.accept("  " + member.name() + " returns");
        group.disks().set(member, State.OFF, false);
      }
      Thread.sleep(settings.pause());
      progress.accept("  " + members.getLast().name() + " returns");
    } finally {
      members.forEach(member -> group.disks().set(member, State.OFF, false));
    }
  }

  private void killAgainAndAgain(DrillFault fault, Member first) throws InterruptedException {
    strike(fault, first);
    for (int kill = 2; kill <= KILLS; kill++) {
      awaitServing();
      Thread.sleep(BETWEEN_KILLS);
      strike(fault, awaitPrimary(member -> true, RETURN_BOUND));
    }
  }

  private static String newPrimary(JsonNode answer) {
    return "primary " + answer.path("primary").asText() + " from " + answer.path("position").asText() + ", outage "
        + answer.path("outageMillis").asText() + " ms by its own account";
  }

  private Member awaitPrimary(Predicate<Member> accepted, Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    do {
      for (Member member : group.members()) {
        if (accepted.test(member)
            && operator.status(member.url()).filter(s -> s.is("primary") && s.writable()).isPresent()) {
          return member;
        }
      }
      Thread.sleep(POLL);
    } while (System.nanoTime() < end);
    throw new RnsException(RnsError.UNAVAILABLE, "no server has become the primary within " + most.toSeconds() + " s");
  }

  /**
   * Waits until one server is the primary, all others are replicas of the same epoch, and a failover may rely on each:
   * the loss of one more before that can leave the group waiting for it, as {@code ./rns status} says.
   */
  void awaitServing() throws InterruptedException {
    long end = System.nanoTime() + RETURN_BOUND.toNanos();
    List<String> seen = new ArrayList<>();
    do {
      List<Status> answers = new ArrayList<>();
      seen.clear();
      for (Member member : group.members()) {
        Optional<Status> status = operator.status(member.url());
        status.ifPresent(answers::add);
        seen.add(status.map(Status::text).orElse("no answer"));
        if (status.filter(s -> s.is("outside")).isPresent()) {
          join(member);
        }
      }
      if (answers.size() == seen.size() && areServing(answers)) {
        return;
      }
      Thread.sleep(POLL);
    } while (System.nanoTime() < end);
    throw new RnsException(
        RnsError.UNAVAILABLE, "the servers do not all serve again within " + RETURN_BOUND.toSeconds() + " s: " + seen);
  }

  /**
   * As an operator would: a database that crashed with a commit that no client knows of does not belong to the group
   * any more. It is retried as long as there is time.
   */
  private void join(Member outside) throws InterruptedException {
    progress.accept("  " + outside.name() + " is outside; rebuilding it");
    try {
      JsonNode unused = operator.act(outside.url(), "join");
    } catch (RnsException e) {
      progress.accept("  " + e.getMessage());
    }
  }

  private static boolean areServing(List<Status> members) {
    return members.stream().filter(member -> member.is("primary")).count() == 1
        && members.stream().filter(member -> member.is("replica")).count() == members.size() - 1
        && members.stream().mapToInt(Status::epoch).distinct().count() == 1
        && members.stream().allMatch(Status::vouches);
  }
}
