package io.rns.replication.simulation;

import io.rns.replication.Role;
import io.rns.replication.membership.Durability;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A group of servers, each with a database on the same machine. */
final class VirtualGroup {
  /** Two clocks differ by a tenth at most. */
  private static final double FASTEST_CLOCK = Math.sqrt(1.1);

  private final VirtualTime time;
  private final GroupShape shape;
  private final Set<Defect> defects;
  private final RandomGenerator random;
  private final VirtualNetwork network;
  private final InvariantCheck check;
  private final List<SimulatedDatabase> databases = new ArrayList<>();
  private final List<VirtualServer> servers = new ArrayList<>();

  private final Set<Integer> retired = new HashSet<>();

  private final @Nullable Consumer<String> notes;

  VirtualGroup(
      VirtualTime time, GroupShape shape, Set<Defect> defects, RandomGenerator random,
      @Nullable Consumer<String> notes) {
    this.time = time;
    this.shape = shape;
    this.defects = defects;
    this.random = random;
    this.notes = notes;
    this.network = new VirtualNetwork(time, shape.members(), random);
    this.check = new InvariantCheck(this);
    for (int i = 0; i < shape.members(); i++) {
      databases.add(new SimulatedDatabase(this, i, random));
    }
    for (int i = 0; i < shape.members(); i++) {
      double rate = 1 / FASTEST_CLOCK + random.nextDouble() * (FASTEST_CLOCK - 1 / FASTEST_CLOCK);
      servers.add(new VirtualServer(this, i, rate, random));
    }
    network.onHealed(() -> databases.forEach(SimulatedDatabase::resumeStreams));
  }

  VirtualTime time() {
    return time;
  }

  VirtualNetwork network() {
    return network;
  }

  InvariantCheck check() {
    return check;
  }

  Engine engine() {
    return shape.engine();
  }

  int size() {
    return shape.members();
  }

  boolean keepsRelayLog() {
    return shape.engine() == Engine.MYSQL;
  }

  boolean syncsRelayLog() {
    return shape.engine() == Engine.MYSQL && !defects.contains(Defect.RESTARTED_REPLICA_VOUCHES);
  }

  boolean has(Defect defect) {
    return defects.contains(defect);
  }

  boolean isAutomatic() {
    return shape.automatic();
  }

  Durability durability() {
    return shape.durability();
  }

  SimulatedDatabase database(int number) {
    return databases.get(number);
  }

  VirtualServer server(int number) {
    return servers.get(number);
  }

  List<VirtualServer> servers() {
    return servers;
  }

  /** Sends a transaction to the database beside a server; the outcome comes back to that server's process. */
  void onDatabase(
      SimulatedDatabase database, ClientWrite request, SimulatedProcess server, Consumer<CommitOutcome> outcome) {
    Consumer<CommitOutcome> answered =
        result -> time.after(random.nextInt(200_000), () -> server.deliver(() -> outcome.accept(result)));
    time.after(random.nextInt(200_000), () -> {
      if (database.process().isAlive()) {
        database.process().deliver(() -> database.commit(request, answered));
      } else {
        answered.accept(new CommitOutcome.Lost());
      }
    });
  }

  // ---- faults

  void pauseDatabase(int number) {
    SimulatedDatabase database = database(number);
    database.process().pause();
    database.watchStreams();
  }

  void resumeDatabase(int number) {
    SimulatedDatabase database = database(number);
    database.process().resume();
    database.resumeStreams();
  }

  void cut(VirtualNetwork.Kind kind, int one, int other) {
    network.cut(kind, one, other);
    database(one).watchStreams();
    database(other).watchStreams();
  }

  /** An operator switches a machine off for good, and then has the primary forget it. */
  void retire(int number) {
    server(number).kill();
    database(number).kill();
    retired.add(number);
    forget(number, true);
  }

  /** An operator asks whoever takes itself for the primary. */
  void forget(int number, boolean stopped) {
    for (VirtualServer server : servers) {
      if (server.number != number && server.role() == Role.PRIMARY) {
        server.process().deliver(() -> server.forget(VirtualServer.urlOf(number), stopped));
      }
    }
  }

  /** Whether a machine is off for good. */
  boolean isRetired(int number) {
    return retired.contains(number);
  }

  /** A network without losses, and everything alive. */
  void restoreAll() {
    network.healAll();
    network.lose(0);
    retired.clear();
    IntStream.range(0, size()).forEach(i -> {
      database(i).start();
      database(i).slowDown(0);
      database(i).slowReceiving(0);
      database(i).resumeDisk();
      resumeDatabase(i);
      server(i).process().resume();
      server(i).start();
    });
  }

  // ---- what happened

  /** Something that a person who replays a history wants to know. */
  void note(String what) {
    if (notes != null) {
      notes.accept(String.format(Locale.ROOT, "%8.3f %s", time.now() / 1e9, what));
    }
  }
}
