package io.rns.replication.simulation;

import io.rns.api.Positions;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.CurrentRole;
import io.rns.replication.GroupMember;
import io.rns.replication.Handover;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import io.rns.replication.RoleState;
import io.rns.replication.Term;
import io.rns.replication.Topology;
import io.rns.replication.member.CommitWait;
import io.rns.replication.member.GroupSettings;
import io.rns.replication.member.LocalMember;
import io.rns.replication.member.MemberLoop;
import io.rns.replication.member.OtherMembers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A server: the real member over a simulated database, which looks at the others four times a second. */
final class VirtualServer {
  final int number;
  private final VirtualGroup group;
  private final double rate;
  private final RandomGenerator random;
  private final String url;
  private final List<String> urls;

  // Of its present process.
  private ProcessTiming timing;
  private CurrentRole role;
  private OtherMembers peers;
  private LocalMember<SimulatedCopy> local;
  private MemberLoop loop;
  private boolean commanded;
  private String abandoned = "";

  VirtualServer(VirtualGroup group, int number, double rate, RandomGenerator random) {
    this.group = group;
    this.number = number;
    this.url = urlOf(number);
    this.rate = rate;
    this.random = random;
    this.urls = IntStream.range(0, group.size()).mapToObj(VirtualServer::urlOf).toList();
    begin();
  }

  static String urlOf(int number) {
    return "http://s" + number;
  }

  String url() {
    return url;
  }

  SimulatedProcess process() {
    return timing.process();
  }

  ProcessTiming timing() {
    return timing;
  }

  /** Another server has asked it. */
  void hear(String url) {
    peers.hear(url);
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

  /** Why a failover that it needs has not succeeded. */
  Optional<String> waiting() {
    return loop.waiting();
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
    if (!process().isAlive() && !group.isRetired(number)) {
      begin();
    }
  }

  /** Begins a process of it, which knows nothing yet. */
  private void begin() {
    ProcessTiming own = new ProcessTiming(group.time(), new SimulatedProcess(group.time()), rate);
    SimulatedDatabase database = group.database(number);
    GroupSettings settings =
        new GroupSettings(
            Topology.SOURCE_REPLICA, "s" + number, url(), urls, "", database.address(), "", "",
            group.durability(), group.isAutomatic());
    timing = own;
    commanded = false;
    database.forgetPromise();
    role = new CurrentRole(RoleState.starting("starting"));
    // One address suffices to find the others.
    peers = new OtherMembers(url(), List.of(urlOf(number == 0 ? 1 : 0)), this::member, own);
    local = new LocalMember<>(
        settings, () -> migrate(database, own), () -> new DatabaseControl(database, own, random),
        () -> SimulatedCopy.open(database, own), role, peers, lease(), own);
    loop = new MemberLoop(settings, local, peers, this::member, lease(), own);
    run();
  }

  private Duration lease() {
    return group.has(Defect.NO_WAIT_FOR_THE_LEASE) ? Duration.ZERO : SimulatedWriter.LEASE;
  }

  /** Makes the tables, if there are none. */
  private void migrate(SimulatedDatabase database, ProcessTiming own) {
    if (database.log().isEmpty()) {
      Signal answered = new Signal(group.time());
      group.onDatabase(database, ClientWrite.nextEpoch(0, 0, List.of(), CommitWait.FOR_ONE), own.process(),
          outcome -> answered.fire());
      if (!answered.await(own.nanos(Duration.ofSeconds(20)))) {
        throw new RnsException(RnsError.UNAVAILABLE, "the tables were not made");
      }
    }
  }

  private void run() {
    peers.start();
    timing.start("rns-group", () -> {
      while (true) {
        loop.turn();
        timing.pause(OtherMembers.LOOK_EVERY);
      }
    });
  }

  private GroupMember member(String url) {
    return url.equals(url()) ? local : remote(url);
  }

  private RemoteMember remote(String url) {
    return new RemoteMember(group, this, group.server(urls.indexOf(url)));
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
    change(handover -> handover.failover(target, force || group.has(Defect.FORCED_FAILOVER)));
  }

  void switchover(String target) {
    change(handover -> handover.switchover(target));
  }

  private void change(Consumer<Handover> command) {
    commanded = true;
    timing.start("change", () -> {
      try {
        group.note(url() + " begins to change the primary");
        command.accept(loop.handover());
        group.note(url() + " has changed the primary");
      } catch (RnsException e) {
        group.note(url() + ": " + e.getMessage());
      } finally {
        commanded = false;
      }
    });
  }

  /** A member did not lead in a change that runs here. */
  void failedToPromote(Term term) {
    if (group.has(Defect.SWITCHOVER_WITHOUT_WAY_BACK)) {
      abandoned = term.proposer();
    }
  }

  /** Fails for a change that a defect has ended. */
  void checkContinues(Term term) {
    if (abandoned.equals(term.proposer())) {
      throw new RnsException(RnsError.UNAVAILABLE, "the change was abandoned");
    }
  }

  /** Adds a server to the members. */
  MemberList add(String url) {
    return local.add(member(url));
  }

  /**
   * An operator removes a server from the members.
   *
   * @param stopped whether that server and its database are off
   */
  void forget(String url, boolean stopped) {
    timing.start("forget", () -> {
      try {
        var unused = local.forget(member(url), stopped);
        group.note(url + " is no member any more");
      } catch (RnsException e) {
        group.note(url() + ": " + e.getMessage());
      }
    });
  }

  /** Whether a change that was commanded here is under way. */
  boolean isChanging() {
    return process().isAlive() && commanded;
  }

  /** An operator has the copy here rebuilt from the primary's. */
  void join() {
    Optional<MemberReport> primary = MemberReport.primary(peers.reports());
    primary.ifPresent(from -> timing.start("join", () -> {
      try {
        var unused = local.join(from);
        if (peers.excludes(url())) {
          var unusedList = remote(from.url()).addMember(url());
        }
      } catch (RnsException e) {
        group.note(url() + ": " + e.getMessage());
      }
    }));
  }
}
