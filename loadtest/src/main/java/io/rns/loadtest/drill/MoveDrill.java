package io.rns.loadtest.drill;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.SubtreePage.Visit;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.client.TreeWalk;
import io.rns.error.RnsException;
import io.rns.loadtest.drill.MoveOperator.Assigned;
import io.rns.loadtest.group.ServerGroup;
import io.rns.loadtest.group.ServerGroup.Member;
import io.rns.loadtest.history.Promise;
import io.rns.loadtest.history.Violation;
import io.rns.loadtest.launcher.Poll;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/**
 * Moves content between two groups while clients write to it, kills a server or a database at any moment of each move,
 * completes the move or undoes it, and compares what is there with what clients know.
 */
public final class MoveDrill {
  private static final String ROOT = "/rns-drill";
  private static final String MOVING = ROOT + "/moving";
  private static final int WRITERS = 3;
  private static final int BATCH = 500;
  private static final int DIRECTORIES = 20;
  private static final Duration WRITE_PAUSE = Duration.ofMillis(10);
  private static final Duration POLL = Duration.ofMillis(50);
  /** As long as a killed server takes to come back, and longer. */
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  /** A server gives up on another group after 10 s. */
  private static final Duration ANSWER = Duration.ofSeconds(15);
  /** After so long in service, the launcher restarts what has crashed without a limit. */
  private static final Duration SERVED_ENOUGH = Duration.ofSeconds(11);
  /** How late a kill may be, in parts of an undisturbed move: then it meets what follows the last step. */
  private static final double LATEST = 1.2;

  /**
   * What to do.
   *
   * @param first the number of the first round: a round with the same seed and number kills the same at the same part
   *        of a move
   * @param entries that move with the clients' own
   */
  public record Settings(Path launcher, int rounds, int first, long seed, int entries) {}

  /** What is killed. */
  private record Victim(Member member, boolean database) {
    long pid() {
      return database ? member.databasePid() : member.serverPid();
    }

    String name() {
      return member.name() + (database ? ", database" : ", server");
    }
  }

  private final Settings settings;
  private final Consumer<String> progress;
  private final Queue<Violation> violations = new ConcurrentLinkedQueue<>();
  private final List<String> incomplete = new ArrayList<>();
  private final Map<String, Long> outcomes = new TreeMap<>();
  private final ReadWriteLock checking = new ReentrantReadWriteLock(true);
  private final Queue<String> writeFailures = new ConcurrentLinkedQueue<>();
  private final Map<String, Long> servingSince = new HashMap<>();
  private volatile boolean stopping;
  private int owner;
  private int rounds;
  private long compared;
  private Duration undisturbed = Duration.ofSeconds(1);

  public MoveDrill(Settings settings, Consumer<String> progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /** Runs the drill; the groups are removed afterwards in any case. */
  public MoveDrillReport run() throws InterruptedException {
    progress.accept("starting two groups");
    try (ServerGroup group = ServerGroup.divided(settings.launcher(), 2, Map.of());
        MoveOperator operator = new MoveOperator(group.secret())) {
      List<URI> servers = group.members().stream().map(Member::url).toList();
      List<NameService> readers = new ArrayList<>();
      try (NameService client = RnsClient.builder().servers(servers).attempts(10_000).deadline(PATIENCE)
          .requestTimeout(ANSWER).connections(WRITERS + 1).build()) {
        servers.forEach(
            server -> readers.add(
                RnsClient.builder().server(server).followReferrals(false).attempts(1).requestTimeout(ANSWER).build()));
        List<MoveWriter> writers = writers(client, readers);
        fill(client);
        moveUnderLoad(group, operator, readers, writers);
        return report(group, writers);
      } finally {
        readers.forEach(NameService::close);
      }
    }
  }

  private MoveDrillReport report(ServerGroup group, List<MoveWriter> writers) {
    writeFailures.forEach(incomplete::add);
    Map<String, Long> checked = new TreeMap<>();
    checked.put("writes", writers.stream().mapToLong(MoveWriter::writes).sum());
    checked.put("session reads", writers.stream().mapToLong(MoveWriter::reads).sum());
    checked.put("entries compared", compared);
    boolean passed = violations.isEmpty() && incomplete.isEmpty();
    Optional<Path> logs = passed ? Optional.empty() : Optional.of(group.keepLogs());
    return new MoveDrillReport(rounds, outcomes, checked, List.copyOf(violations), incomplete, logs);
  }

  // ---- the tree

  private List<MoveWriter> writers(NameService client, List<NameService> readers) {
    List<MoveWriter> writers = new ArrayList<>();
    for (int number = 0; number < WRITERS; number++) {
      List<String> directories = new ArrayList<>();
      for (String directory : List.of(MOVING + "/w" + number, MOVING + "/w" + number + "/deep/er",
          ROOT + "/still/w" + number)) {
        makeDirectory(client, directory);
        directories.add(directory);
      }
      SplittableRandom random = new SplittableRandom(settings.seed() * WRITERS + number);
      writers.add(new MoveWriter("w" + number, client, readers, directories, random, violations::add));
    }
    return writers;
  }

  private static void makeDirectory(NameService client, String path) {
    client.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of(path))).withParents()).value()
        .forEach(Outcome::orThrow);
  }

  private static String path(int entry) {
    return MOVING + "/all/d" + entry % DIRECTORIES + "/n" + entry;
  }

  private static String address(String path) {
    return "urn:" + path;
  }

  private void fill(NameService client) {
    for (int directory = 0; directory < DIRECTORIES; directory++) {
      makeDirectory(client, MOVING + "/all/d" + directory);
    }
    for (int from = 0; from < settings.entries(); from += BATCH) {
      List<NewEntry> batch = new ArrayList<>();
      for (int entry = from; entry < Math.min(settings.entries(), from + BATCH); entry++) {
        String path = path(entry);
        batch.add(NewEntry.junction(Target.of(path), EndpointReference.ofAddress(address(path))));
      }
      client.add(CallContext.ANONYMOUS, new AddRequest(batch, false, false)).value().forEach(Outcome::orThrow);
    }
  }

  // ---- rounds

  private void moveUnderLoad(
      ServerGroup group, MoveOperator operator, List<NameService> readers, List<MoveWriter> writers)
      throws InterruptedException {
    List<Thread> threads =
        writers.stream().map(writer -> Thread.ofVirtual().name("drill-writer").start(() -> write(writer))).toList();
    try {
      measure(group, operator);
      for (int round = 0; round < settings.rounds() && violations.isEmpty() && writeFailures.isEmpty(); round++) {
        goThrough(settings.first() + round, group, operator);
        check(group, operator, readers, writers);
        rounds++;
      }
    } catch (RnsException e) {
      incomplete.add(String.valueOf(e.getMessage()));
      progress.accept("stopped: " + e.getMessage());
    } finally {
      stopping = true;
      for (Thread thread : threads) {
        boolean unused = thread.join(PATIENCE);
      }
    }
  }

  private void write(MoveWriter writer) {
    Lock lock = checking.readLock();
    try {
      while (!stopping) {
        lock.lock();
        try {
          writer.step();
        } finally {
          lock.unlock();
        }
        Thread.sleep(WRITE_PAUSE);
      }
    } catch (RnsException e) {
      writeFailures.add("a write was not answered: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The first moves warm up what the others go through. */
  private void measure(ServerGroup group, MoveOperator operator) throws InterruptedException {
    for (int to : new int[]{1, 0, 1, 0}) {
      long began = System.nanoTime();
      assign(group, operator, to);
      undisturbed = Duration.ofNanos(System.nanoTime() - began);
    }
    progress.accept("an undisturbed move takes " + undisturbed.toMillis() + " ms");
  }

  private void goThrough(int number, ServerGroup group, MoveOperator operator) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(settings.seed() * 1_000_003L + number);
    int from = owner;
    int to = 1 - from;
    boolean source = random.nextBoolean();
    Victim victim = new Victim(group.members().get(source ? from : to), random.nextBoolean());
    Duration after = Duration.ofNanos((long) (undisturbed.toNanos() * random.nextDouble(LATEST)));
    boolean undoes = random.nextInt(3) == 0;
    awaitServedEnough(victim);
    progress.accept(
        String.format(
            Locale.ROOT, "round %d: from group %d to %d, kill -9 of the %s's (%s) after %d ms, then %s", number, from,
            to,
            source ? "source" : "target", victim.name(), after.toMillis(), undoes ? "undo" : "resume"));
    Thread killer = Thread.ofVirtual().name("drill-killer").start(() -> kill(victim, after));
    Assigned met = attempt(group, operator, to);
    killer.join();
    awaitReturn(group, operator, victim);
    assign(group, operator, undoes ? from : to);
    count("kill of the " + (source ? "source's " : "target's ") + (victim.database() ? "database" : "server"));
    count(undoes ? "undone" : "completed");
    progress.accept("  the attempt ended with: " + met + "; group " + owner + " serves it");
  }

  private void count(String what) {
    outcomes.merge(what, 1L, Long::sum);
  }

  private void kill(Victim victim, Duration after) {
    try {
      Thread.sleep(after);
      DrillFault.signal("KILL", List.of(victim.pid()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RnsException e) {
      writeFailures.add(String.valueOf(e.getMessage()));
    }
  }

  private void awaitServedEnough(Victim victim) throws InterruptedException {
    long served = System.nanoTime() - servingSince.getOrDefault(victim.name(), System.nanoTime() - Long.MAX_VALUE / 2);
    Thread.sleep(Duration.ofNanos(Math.max(0, SERVED_ENOUGH.toNanos() - served)));
  }

  private URI entryServer(ServerGroup group) {
    return group.members().getFirst().url();
  }

  /** Moves the content until that is done or comes to nothing; what it came to. */
  private Assigned attempt(ServerGroup group, MoveOperator operator, int to) throws InterruptedException {
    Assigned assigned = operator.assign(entryServer(group), MOVING, to);
    while (assigned instanceof Assigned.Moving) {
      assigned = operator.assign(entryServer(group), MOVING, to);
    }
    return assigned;
  }

  /** As an operator does: repeats the assignment until the group serves the content. */
  private void assign(ServerGroup group, MoveOperator operator, int to) throws InterruptedException {
    AtomicReference<Assigned> last = new AtomicReference<>();
    Poll.until(() -> "group " + to + " gets the content: " + last, PATIENCE, POLL, () -> {
      Assigned assigned = operator.assign(entryServer(group), MOVING, to);
      last.set(assigned);
      return assigned instanceof Assigned.Served;
    });
    owner = to;
  }

  /** Waits until what was killed runs again, and its server has the database. */
  private void awaitReturn(ServerGroup group, MoveOperator operator, Victim victim) throws InterruptedException {
    Poll.until(
        () -> victim.name() + " comes back", PATIENCE, POLL,
        () -> new Victim(group.members().get(victim.member().index()), victim.database()).pid() != victim.pid()
            && operator.entries(victim.member().url(), ROOT_DIRECTORY).isPresent());
    servingSince.put(victim.name(), System.nanoTime());
  }

  /** In every group, and with little in it. */
  private static final String ROOT_DIRECTORY = "0000000000000002";

  // ---- what is there

  private void check(
      ServerGroup group, MoveOperator operator, List<NameService> readers, List<MoveWriter> writers)
      throws InterruptedException {
    Lock lock = checking.writeLock();
    lock.lock();
    try {
      Map<String, String> expected = new TreeMap<>();
      for (int entry = 0; entry < settings.entries(); entry++) {
        expected.put(path(entry), address(path(entry)));
      }
      writers.forEach(writer -> expected.putAll(writer.entries()));
      // Also a server that was just started knows the map then, and answers.
      List<Member> members = group.members();
      for (Member member : members) {
        awaitMap(operator, member);
      }
      for (NameService reader : readers) {
        compare(expected, reader);
      }
    } finally {
      lock.unlock();
    }
  }

  private void awaitMap(MoveOperator operator, Member member) throws InterruptedException {
    Poll.until(
        () -> member.name() + " takes group " + owner + " for the owner", PATIENCE, POLL,
        () -> operator.owner(member.url(), MOVING).equals(OptionalInt.of(owner)));
  }

  private void compare(Map<String, String> expected, NameService reader) {
    Map<String, String> missing = new TreeMap<>(expected);
    Map<String, String> seen = new HashMap<>();
    try (TreeWalk walk = TreeWalk.of(reader, Target.of(ROOT)).open()) {
      while (walk.hasNext()) {
        Visit visit = walk.next();
        String path = visit.path().toString();
        Entry entry = visit.entry();
        String before = seen.put(entry.id().toString(), path);
        if (before != null) {
          broken(Promise.APPLIED_ONCE, entry.id() + " is at " + before + " and at " + path);
        }
        if (entry instanceof Junction junction) {
          String address = junction.references().getFirst().address();
          String wanted = missing.remove(path);
          if (!address.equals(wanted)) {
            broken(Promise.NOTHING_LOST, path + " has '" + address + "' and not '" + wanted + "'");
          }
          compared++;
        }
      }
    }
    missing.forEach((path, address) -> broken(Promise.NOTHING_LOST, path + " with '" + address + "' is missing"));
  }

  private void broken(Promise promise, String what) {
    violations.add(new Violation(promise, what));
    progress.accept("  " + what);
  }
}
