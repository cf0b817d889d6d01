package io.rns.replication.simulation;

import io.rns.api.Positions;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.CurrentRole;
import io.rns.replication.GroupMember;
import io.rns.replication.Handover;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import io.rns.replication.RoleState;
import io.rns.replication.Topology;
import io.rns.replication.member.GroupSettings;
import io.rns.replication.member.LocalMember;
import io.rns.replication.membership.Durability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A server: the real member over a simulated database, which looks at the others four times a second. */
final class SimulatedServer {
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final Duration LOOK_TIMEOUT = Duration.ofSeconds(1);

  final int number;
  private final SimulatedGroup group;
  private final double rate;
  private final Random random;
  private final List<String> urls;

  private ProcessTiming timing;
  private CurrentRole role = new CurrentRole(RoleState.starting("starting"));
  private LocalMember<SimulatedCopy> local;
  private boolean commanded;
  private final Map<String, MemberReport> latest = new TreeMap<>();

  SimulatedServer(SimulatedGroup group, int number, double rate, Random random) {
    this.group = group;
    this.number = number;
    this.rate = rate;
    this.random = random;
    this.urls = IntStream.range(0, group.size()).mapToObj(SimulatedServer::urlOf).toList();
    this.timing = new ProcessTiming(group.time(), new SimulatedProcess(group.time()), rate);
    this.local = newMember();
    run();
  }

  static String urlOf(int number) {
    return "http://s" + number;
  }

  String url() {
    return urlOf(number);
  }

  SimulatedProcess process() {
    return timing.process();
  }

  ProcessTiming timing() {
    return timing;
  }

  GroupMember local() {
    return local;
  }

  RoleState state() {
    return role.now();
  }

  Role role() {
    return process().isAlive() ? role.now().role() : Role.STARTING;
  }

  @Nullable
  SimulatedCopy copy() {
    return local.copy();
  }

  String describe() {
    RoleState now = state();
    return url() + " " + now.role() + " (primary " + now.primary().orElse("unknown") + "; " + now.reason() + ")";
  }

  // ---- life

  void kill() {
    process().kill();
  }

  void start() {
    if (!process().isAlive()) {
      timing = new ProcessTiming(group.time(), new SimulatedProcess(group.time()), rate);
      role = new CurrentRole(RoleState.starting("starting"));
      latest.clear();
      commanded = false;
      local = newMember();
      run();
    }
  }

  private LocalMember<SimulatedCopy> newMember() {
    ProcessTiming own = timing;
    SimulatedDatabase database = group.database(number);
    GroupSettings settings =
        new GroupSettings(
            Topology.SOURCE_REPLICA, "s" + number, url(), urls, "", database.address(), "", "",
            group.defects().contains(Defect.ANSWERS_WITHOUT_REPLICA) ? Durability.LOCAL : Durability.REPLICATED);
    return new LocalMember<>(
        settings, () -> migrate(database, own), () -> new DatabaseControl(database, own, random),
        () -> SimulatedCopy.open(database, own), role, () -> urls, own);
  }

  /** Makes the tables, if there are none. */
  private void migrate(SimulatedDatabase database, ProcessTiming own) {
    if (database.log().isEmpty()) {
      Signal answered = new Signal(group.time());
      group.onDatabase(database, WriteRequest.nextEpoch(0, 0), own.process(), outcome -> answered.fire());
      if (!answered.await(own.nanos(Duration.ofSeconds(20)))) {
        throw new RnsException(RnsError.UNAVAILABLE, "the tables were not made");
      }
    }
  }

  private void run() {
    for (int other = 0; other < group.size(); other++) {
      if (other != number) {
        poll(other, timing);
      }
    }
    timing.start("rns-group", () -> {
      while (true) {
        local.settle(List.copyOf(latest.values()), this::member);
        timing.pause(LOOK_EVERY);
      }
    });
  }

  /** Asks another server for its report again and again, as events: it needs no thread. */
  private void poll(int other, ProcessTiming own) {
    group.time().after(own.nanos(LOOK_EVERY), () -> own.process().deliver(() -> {
      boolean[] answered = {false};
      group.network().send(SimulatedNetwork.Kind.SERVERS, number, other, () -> {
        SimulatedServer asked = group.server(other);
        if (asked.process().isAlive()) {
          asked.process().deliver(() -> {
            MemberReport report = asked.local().report();
            group.network().send(SimulatedNetwork.Kind.SERVERS, other, number, () -> own.process().deliver(() -> {
              if (!answered[0]) {
                answered[0] = true;
                latest.put(report.url(), report);
                poll(other, own);
              }
            }));
          });
        } else {
          latest.remove(asked.url());
        }
      });
      group.time().after(own.nanos(LOOK_TIMEOUT), () -> own.process().deliver(() -> {
        if (!answered[0]) {
          answered[0] = true;
          latest.remove(urlOf(other));
          poll(other, own);
        }
      }));
    }));
  }

  private GroupMember member(String url) {
    return url.equals(url()) ? local : new RemoteMember(group, this, group.server(urls.indexOf(url)));
  }

  // ---- clients

  /** A write of a client. */
  void write(int write, Consumer<SimulatedWriter.Answer> answer) {
    SimulatedCopy copy = copy();
    if (state().role() == Role.PRIMARY && copy != null) {
      copy.submit(write, result -> {
        if (result instanceof SimulatedWriter.Answer.Done) {
          group.check().acknowledge(write);
        }
        answer.accept(result);
      });
    } else {
      answer.accept(new SimulatedWriter.Answer.Refused());
    }
  }

  /** The copy that answers reads of consistency {@code primary}; null if there is none now. */
  @Nullable
  SimulatedCopy latestCopy() {
    try {
      SimulatedCopy copy = copy();
      if (state().role() == Role.PRIMARY && copy != null) {
        copy.checkLatest();
        return copy;
      }
      return null;
    } catch (RnsException e) {
      return null;
    }
  }

  /** The copy that answers reads of a session; null if there is none that has come so far. */
  @Nullable
  SimulatedCopy copyAt(Positions seen) {
    return state().copy()
        .map(SimulatedCopy.class::cast)
        .filter(copy -> copy.hasServed(seen))
        .orElse(null);
  }

  // ---- operators

  /** An operator commands a change of primary here. */
  void failover(Optional<String> target, boolean force) {
    change(handover -> handover.failover(target, force || group.defects().contains(Defect.FORCED_FAILOVER)));
  }

  void switchover(String target) {
    change(handover -> handover.switchover(target));
  }

  private void change(Consumer<Handover> command) {
    Duration lease = group.defects().contains(Defect.NO_WAIT_FOR_THE_LEASE) ? Duration.ZERO : SimulatedWriter.LEASE;
    commanded = true;
    timing.start("change", () -> {
      List<GroupMember> members = new ArrayList<>(List.of(local));
      urls.stream().filter(url -> !url.equals(url())).map(this::member).forEach(members::add);
      try {
        group.note(url() + " begins to change the primary");
        command.accept(new Handover(Topology.SOURCE_REPLICA, members, lease, timing));
        group.note(url() + " has changed the primary");
      } catch (RnsException e) {
        group.note(url() + ": " + e.getMessage());
      } finally {
        commanded = false;
      }
    });
  }

  /** Whether a change that was commanded here is under way. */
  boolean isChanging() {
    return process().isAlive() && commanded;
  }

  /** An operator has the copy here rebuilt from the primary's. */
  void join() {
    Optional<MemberReport> primary = MemberReport.primary(latest.values());
    primary.ifPresent(from -> timing.start("join", () -> {
      try {
        var unused = local.join(from);
      } catch (RnsException e) {
        group.note(url() + ": " + e.getMessage());
      }
    }));
  }
}
