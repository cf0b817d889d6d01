package io.rns.loadtest.history;

import io.rns.api.Change;
import io.rns.api.Position;
import io.rns.loadtest.history.DrillEvent.WatchedChange;
import io.rns.loadtest.history.DrillEvent.Acknowledged;
import io.rns.loadtest.history.DrillEvent.Claim;
import io.rns.loadtest.history.DrillEvent.Outcome;
import io.rns.loadtest.history.DrillEvent.Read;
import io.rns.loadtest.history.DrillEvent.Refused;
import io.rns.loadtest.history.DrillEvent.Unknown;
import io.rns.loadtest.history.DrillEvent.Write;
import io.rns.loadtest.history.History.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;

/**
 * A server group that keeps its promises, and clients that use it at random: answers are late or get lost, requests are
 * repeated, primaries change, servers lag.
 */
final class SimulatedGroup {
  private static final List<String> SERVERS = List.of("server-1", "server-2", "server-3");
  private static final long MILLI = 1_000_000;

  private record Entry(Position position, Change.Kind kind, String path, String requestId, long committed) {}

  private static final class Session {
    private final String name;
    private long token;

    Session(String name) {
      this.name = name;
    }
  }

  private final Random random;
  private final List<Entry> log = new ArrayList<>();
  private final Map<String, Entry> answers = new HashMap<>();
  private final Map<String, Integer> applied = new HashMap<>();
  private final List<Write> writes = new ArrayList<>();
  private final List<Read> reads = new ArrayList<>();
  private final List<Claim> claims = new ArrayList<>();
  private final List<Session> sessions = new ArrayList<>();
  private final TreeMap<String, Change.Kind> open = new TreeMap<>();
  private final List<String> paths = new ArrayList<>();
  private int epoch = 1;
  private String primary = SERVERS.get(0);
  private long now;
  private int requests;

  private SimulatedGroup(long seed) {
    random = new Random(seed);
    for (int i = 0; i < 4; i++) {
      sessions.add(new Session("reader-" + i));
    }
  }

  static History history(long seed, int steps) {
    SimulatedGroup group = new SimulatedGroup(seed);
    for (int i = 0; i < steps; i++) {
      group.step();
    }
    return group.end();
  }

  private void step() {
    now += random.nextLong(5 * MILLI);
    int dice = random.nextInt(100);
    if (dice < 45) {
      write();
    } else if (dice < 75) {
      readInSession(sessions.get(random.nextInt(sessions.size())));
    } else if (dice < 85) {
      readBounded();
    } else if (dice < 98) {
      applied.compute(SERVERS.get(random.nextInt(3)),
          (server, size) -> Math.min(log.size(), (size == null ? 0 : size) + random.nextInt(10)));
    } else {
      epoch++;
      primary = SERVERS.get(random.nextInt(3));
      claims.add(new Claim(primary, epoch, now));
    }
  }

  private void write() {
    String path;
    Change.Kind kind;
    if (open.isEmpty() || random.nextInt(3) > 0) {
      path = "/n" + paths.size();
      paths.add(path);
      kind = Change.Kind.ADDED;
    } else {
      path = open.firstKey();
      boolean removes = open.remove(path) == Change.Kind.CHANGED || random.nextBoolean();
      kind = removes ? Change.Kind.REMOVED : Change.Kind.CHANGED;
    }
    String id = "r" + requests++;
    boolean acknowledged = call(id, false, path, kind);
    while (!acknowledged && random.nextInt(4) > 0) {
      acknowledged = call(id, true, path, kind);
    }
    if (acknowledged && random.nextInt(10) == 0) {
      call(id, true, path, kind);
    }
    if (acknowledged && kind != Change.Kind.REMOVED && random.nextInt(3) == 0) {
      open.put(path, kind);
    }
  }

  /** Whether it was acknowledged. */
  private boolean call(String id, boolean repetition, String path, Change.Kind kind) {
    long invoked = now;
    now += random.nextLong(3 * MILLI);
    boolean direct = random.nextInt(5) == 0;
    String asked = SERVERS.get(random.nextInt(3));
    Optional<String> directly = direct ? Optional.of(asked) : Optional.empty();
    boolean declined = direct && !asked.equals(primary);
    if (!declined && random.nextInt(20) > 0) {
      answers.computeIfAbsent(id, unused -> commit(path, kind, id));
    }
    now += random.nextLong(3 * MILLI);
    Entry entry = answers.get(id);
    boolean answered = entry != null && random.nextInt(20) > 0;
    Outcome told =
        declined
            ? new Refused("NOT_PRIMARY", "ask another")
            : answered ? new Acknowledged(entry.position()) : new Unknown("no answer");
    writes.add(new Write(id, repetition, path, kind, directly, invoked, now, told));
    return told instanceof Acknowledged;
  }

  private Entry commit(String path, Change.Kind kind, String id) {
    Entry entry = new Entry(new Position(0, epoch, log.size() + 1L), kind, path, id, now);
    log.add(entry);
    return entry;
  }

  private OptionalLong versionAt(String path, int size) {
    OptionalLong version = OptionalLong.empty();
    for (int i = 0; i < size; i++) {
      Entry entry = log.get(i);
      if (entry.path().equals(path)) {
        version =
            entry.kind() == Change.Kind.REMOVED ? OptionalLong.empty() : OptionalLong.of(entry.position().sequence());
      }
    }
    return version;
  }

  private Position positionOf(int size) {
    return size == 0 ? new Position(0, 0, 0) : log.get(size - 1).position();
  }

  private void readInSession(Session session) {
    if (paths.isEmpty()) {
      return;
    }
    String path = paths.get(random.nextInt(paths.size()));
    if (random.nextBoolean()) { // somebody hands over what was written last
      Write last = writes.get(writes.size() - 1);
      session.token = last.isAcknowledged() ? Math.max(session.token, last.sequence()) : session.token;
    }
    Optional<Position> token = session.token == 0 ? Optional.empty() : Optional.of(positionOf((int) session.token));
    String server = SERVERS.get(random.nextInt(3));
    int size = Math.max(applied.getOrDefault(server, 0), (int) session.token);
    read(session.name, server, Optional.empty(), token, path, size);
    session.token = size;
  }

  private void readBounded() {
    if (paths.isEmpty()) {
      return;
    }
    String server = SERVERS.get(random.nextInt(3));
    Duration bound = Duration.ofMillis(random.nextInt(30));
    int size = applied.getOrDefault(server, 0);
    while (size < log.size() && log.get(size).committed() < now - bound.toNanos()) {
      size++;
    }
    read("bounded", server, Optional.of(bound), Optional.empty(), paths.get(random.nextInt(paths.size())), size);
  }

  private void read(String who, String server, Optional<Duration> bound, Optional<Position> token, String path,
      int size) {
    long invoked = now;
    now += random.nextLong(MILLI);
    reads.add(new Read(who, server, bound, token, path, invoked, now, versionAt(path, size), positionOf(size)));
  }

  private History end() {
    Map<String, Long> tree = new HashMap<>();
    paths.forEach(path -> versionAt(path, log.size()).ifPresent(version -> tree.put(path, version)));
    List<DrillEvent> events = new ArrayList<>(writes);
    events.addAll(reads);
    events.addAll(claims);
    log.forEach(e -> events.add(new WatchedChange(e.position(), e.kind(), e.path(), now, 0)));
    Map<String, Map<String, Long>> trees = new HashMap<>();
    SERVERS.forEach(server -> trees.put(server, tree));
    Ending ending = new Ending(positionOf(log.size()), trees);
    return new History(events, new Position(0, 0, 0), ending);
  }
}
