package io.rns.loadtest.drill;

import com.fasterxml.jackson.databind.JsonNode;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.drill.GroupOperator.Status;
import io.rns.loadtest.group.ServerGroup;
import io.rns.loadtest.group.ServerGroup.Member;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Injects faults into the primary, has another promoted, and waits until all servers serve again. */
record FaultInjector(ServerGroup group, GroupOperator operator, DrillSettings settings, Consumer<String> progress) {
  private static final Duration NOTICE = Duration.ofMillis(500);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration FAILOVER_BOUND = Duration.ofMinutes(2);
  private static final Duration RETURN_BOUND = Duration.ofMinutes(4);

  /** Returns the name of the server that it happened to when another server is the primary. */
  String inject(DrillFault fault) throws InterruptedException {
    Member primary = awaitPrimary(member -> true, RETURN_BOUND);
    Predicate<Member> isOther = member -> member.index() != primary.index();
    URI survivor = group.members().stream().filter(isOther).findFirst().orElseThrow().url();
    if (!fault.breaks()) {
      progress.accept("  " + newPrimary(operator.act(survivor, "switchover")));
      return primary.name();
    }
    long end = System.nanoTime() + settings.pause().toNanos();
    try {
      fault.begin(group, primary);
      Thread.sleep(NOTICE);
      if (settings.choosesByItself()) {
        // What was killed may be started again before another one leads.
        Predicate<Member> next = fault.lasts() ? isOther : member -> true;
        progress.accept("  primary " + awaitPrimary(next, FAILOVER_BOUND).url());
      } else {
        failover(survivor);
      }
      if (fault.lasts()) {
        Thread.sleep(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      }
    } finally {
      fault.end(group, primary);
    }
    return primary.name();
  }

  private void failover(URI survivor) throws InterruptedException {
    long end = System.nanoTime() + FAILOVER_BOUND.toNanos();
    while (true) {
      try {
        progress.accept("  " + newPrimary(operator.act(survivor, "failover?to=best&replace=true")));
        return;
      } catch (RnsException e) {
        progress.accept("  " + e.getMessage());
        if (System.nanoTime() > end) {
          throw e;
        }
        Thread.sleep(NOTICE);
      }
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
   * Waits until one server is the primary and all others are replicas of the same epoch.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if that takes too long
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
        && members.stream().mapToInt(Status::epoch).distinct().count() == 1;
  }
}
