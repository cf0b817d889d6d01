package io.rns.loadtest.drill;

import com.fasterxml.jackson.databind.JsonNode;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.group.ServerGroup;
import io.rns.loadtest.group.ServerGroup.Member;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Lets a fault happen to the primary, sees to a new one, and waits until all servers serve again. */
final class Strike {
  private static final Duration NOTICE = Duration.ofMillis(500);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration FAILOVER_BOUND = Duration.ofMinutes(2);
  private static final Duration RETURN_BOUND = Duration.ofMinutes(4);

  private final ServerGroup group;
  private final GroupCalls calls;
  private final DrillSettings settings;
  private final Consumer<String> progress;

  Strike(ServerGroup group, GroupCalls calls, DrillSettings settings, Consumer<String> progress) {
    this.group = group;
    this.calls = calls;
    this.settings = settings;
    this.progress = progress;
  }

  /** The name of the server that it happened to. */
  String now(Fault fault) throws InterruptedException {
    Member primary = primary();
    Member other = group.members().stream().filter(m -> !m.name().equals(primary.name())).findFirst().orElseThrow();
    long database = primary.databasePid();
    long server = primary.serverPid();
    switch (fault) {
      case KILL_DATABASE -> killed(List.of(database), primary, other);
      case KILL_SERVER -> killed(List.of(server), primary, other);
      case KILL_BOTH -> killed(List.of(database, server), primary, other);
      case PAUSE_DATABASE -> paused(List.of(database), primary, other);
      case PAUSE_SERVER -> paused(List.of(server), primary, other);
      case PAUSE_BOTH -> paused(List.of(database, server), primary, other);
      case CUT_OFF, CUT_OFF_SERVER, CUT_OFF_DATABASE -> cutOff(fault, primary, other);
      case SWITCHOVER -> progress.accept("  " + brief(calls.switchover(other.url())));
    }
    return primary.name();
  }

  private void killed(List<Long> pids, Member former, Member survivor) throws InterruptedException {
    for (long pid : pids) {
      Signals.kill(pid);
    }
    Thread.sleep(NOTICE.toMillis());
    awaitNext(former, survivor);
  }

  private void cutOff(Fault fault, Member primary, Member survivor) throws InterruptedException {
    long end = System.nanoTime() + settings.pause().toNanos();
    if (fault != Fault.CUT_OFF_DATABASE) {
      group.cutServer(primary);
    }
    if (fault != Fault.CUT_OFF_SERVER) {
      group.cutDatabase(primary);
    }
    try {
      awaitNextAndRest(primary, survivor, end);
    } finally {
      group.mend(primary);
    }
  }

  private void awaitNextAndRest(Member former, Member survivor, long end) throws InterruptedException {
    Thread.sleep(NOTICE.toMillis());
    awaitNext(former, survivor);
    Thread.sleep(Math.max(0, (end - System.nanoTime()) / 1_000_000));
  }

  private void paused(List<Long> pids, Member former, Member survivor) throws InterruptedException {
    long end = System.nanoTime() + settings.pause().toNanos();
    try {
      for (long pid : pids) {
        Signals.pause(pid);
      }
      awaitNextAndRest(former, survivor, end);
    } finally {
      boolean interrupted = Thread.interrupted();
      Signals.resume(pids);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void awaitNext(Member former, Member survivor) throws InterruptedException {
    if (!settings.choosesByItself()) {
      failover(survivor.url());
      return;
    }
    long end = System.nanoTime() + FAILOVER_BOUND.toNanos();
    while (System.nanoTime() < end) {
      for (Member member : group.members()) {
        if (!member.name().equals(former.name()) && calls.look(member.url()).filter(View::isPrimary).isPresent()) {
          progress.accept("  primary " + member.url());
          return;
        }
      }
      Thread.sleep(POLL.toMillis());
    }
    throw new RnsException(
        RnsError.UNAVAILABLE, "no other server has become the primary within " + FAILOVER_BOUND.toSeconds() + " s");
  }

  private void failover(URI survivor) throws InterruptedException {
    long end = System.nanoTime() + FAILOVER_BOUND.toNanos();
    while (true) {
      try {
        progress.accept("  " + brief(calls.failover(survivor, false)));
        return;
      } catch (RnsException e) {
        progress.accept("  " + e.getMessage());
        if (System.nanoTime() > end) {
          throw e;
        }
        Thread.sleep(NOTICE.toMillis());
      }
    }
  }

  private static String brief(JsonNode answer) {
    return "primary " + answer.path("primary").asText() + " from " + answer.path("position").asText() + ", outage "
        + answer.path("outageMillis").asText() + " ms by its own account";
  }

  private Member primary() throws InterruptedException {
    long end = System.nanoTime() + RETURN_BOUND.toNanos();
    do {
      for (Member member : group.members()) {
        if (calls.look(member.url()).filter(View::isPrimary).isPresent()) {
          return member;
        }
      }
      Thread.sleep(POLL.toMillis());
    } while (System.nanoTime() < end);
    throw new RnsException(RnsError.UNAVAILABLE,
        "no server of the group has been the primary for " + RETURN_BOUND.toSeconds() + " s");
  }

  /**
   * Waits until one server is the primary and all others are replicas of the same epoch.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if that takes too long
   */
  void awaitServing() throws InterruptedException {
    long end = System.nanoTime() + RETURN_BOUND.toNanos();
    String seen;
    do {
      List<Member> members = group.members();
      List<Optional<View>> views = new ArrayList<>();
      for (Member member : members) {
        views.add(calls.look(member.url()));
      }
      joinThoseOutside(members, views);
      if (areServing(views)) {
        return;
      }
      seen = views.stream().map(v -> v.map(View::text).orElse("no answer")).toList().toString();
      Thread.sleep(POLL.toMillis());
    } while (System.nanoTime() < end);
    throw new RnsException(
        RnsError.UNAVAILABLE, "the servers do not all serve again within " + RETURN_BOUND.toSeconds() + " s: " + seen);
  }

  /**
   * As an operator would: a database that died with a commit that nobody was told of does not belong to the group any
   * more.
   */
  private void joinThoseOutside(List<Member> members, List<Optional<View>> views) throws InterruptedException {
    for (int i = 0; i < members.size(); i++) {
      if (views.get(i).filter(View::isOutside).isPresent()) {
        progress.accept("  " + members.get(i).name() + " is outside; rebuilding it");
        try {
          calls.join(members.get(i).url());
        } catch (RnsException e) {
          // Tried again as long as there is time.
          progress.accept("  " + e.getMessage());
        }
      }
    }
  }

  private static boolean areServing(List<Optional<View>> views) {
    long primaries = views.stream().filter(v -> v.filter(View::isPrimary).isPresent()).count();
    long replicas = views.stream().filter(v -> v.filter(View::isReplica).isPresent()).count();
    long epochs = views.stream().flatMap(Optional::stream).map(View::epoch).distinct().count();
    return primaries == 1 && primaries + replicas == views.size() && epochs == 1;
  }
}
