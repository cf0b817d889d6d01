package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.permission.AccessControl;
import io.rns.replication.member.CommitWait;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random concurrent writes and reads, checked afterwards against a model that replays the writes in the order of their
 * sequence numbers: every read of several paths must equal one state of the model, not older than the newest write that
 * had been answered when the read began. {@code -Drns.test.writes=N} sets the writes of each of the writers,
 * {@code -Drns.test.seed=SEED} what they are.
 */
@Tag("server")
class ConsistencyTest {
  private static final int DIRECTORIES = 3;
  private static final int NAMES = 4;
  private static final int WRITES_PER_THREAD = Integer.getInteger("rns.test.writes", 50);
  private static final int WRITERS = 4;
  private static final int READERS = 4;
  private static final List<String> PLACES = List.of("x", "y");

  private final String root = "/consistency-" + System.nanoTime();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong readsChecked = new AtomicLong();
  private final List<Write> writes = Collections.synchronizedList(new ArrayList<>());
  private final List<Read> reads = Collections.synchronizedList(new ArrayList<>());
  private Database database;

  /** A write of one change: what it does to the model. */
  private record Write(long sequence, Runnable effect) {}

  private record Read(long from, long to, List<Integer> paths, List<String> values) {}

  // The model: where each directory is, and what each of its names leads to.
  private final int[] place = new int[DIRECTORIES];
  private final String[][] values = new String[DIRECTORIES][NAMES];

  @BeforeEach
  void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    database.migrate();
  }

  @AfterEach
  void close() {
    assertThat(database.connectionsInUse()).isZero();
    database.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 20_000, 16_000_000})
  void everyReadSeesOneStateNotOlderThanTheAnsweredWrites(long cacheBytes) throws Exception {
    try (LocalNameService service = lead(cacheBytes)) {
      checkReads(service, service);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {20_000, 16_000_000})
  void everyReadOfAPrimaryWhoseDatabaseMayBeReplacedSeesTheSame(long cacheBytes) throws Exception {
    try (LocalNameService service =
        LocalNameService.open(
            database, cacheBytes, TestServices.WRITER, InstantSource.system(), AccessControl.open(), true)) {
      assertThat(service.lead(0, List.of(), CommitWait.FOR_ONE, last -> true)).isPresent();
      checkReads(service, service);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {20_000, 16_000_000})
  void everyReadOfAFollowerThatHasWaitedSeesOneStateNotOlderThanTheAnsweredWrites(long cacheBytes) throws Exception {
    try (LocalNameService service = lead(cacheBytes);
        LocalNameService follower =
            LocalNameService.open(database, cacheBytes, TestServices.WRITER, InstantSource.system())) {
      follower.follow();
      checkReads(service, follower);
    }
  }

  private LocalNameService lead(long cacheBytes) {
    return LocalNameService.start(database, cacheBytes, TestServices.WRITER, InstantSource.system());
  }

  private void checkReads(LocalNameService service, LocalNameService reader) throws Exception {
    long seed = Long.getLong("rns.test.seed", 1);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (String at : PLACES) {
        done(service.add(CallContext.ANONYMOUS, AddRequest.of(directory(root + "/" + at)).withParents()));
      }
      for (int d = 0; d < DIRECTORIES; d++) {
        done(service.add(CallContext.ANONYMOUS, AddRequest.of(directory(path(0, d)))));
      }
      Position start = service.position();
      answered.set(start.sequence());
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Random random = new Random(seed + i);
        running.add(threads.submit(repeat(WRITES_PER_THREAD, () -> write(service, random))));
      }
      List<Future<?>> writers = List.copyOf(running);
      for (int i = 0; i < READERS; i++) {
        Random random = new Random(seed - 1 - i);
        running.add(
            threads.submit(
                () -> {
                  while (!writers.stream().allMatch(Future::isDone)) {
                    Position from = new Position(start.group(), start.epoch(), answered.get());
                    assertThat(reader.awaitServed(Positions.of(from), Duration.ofMinutes(2))).isTrue();
                    if (random.nextBoolean()) {
                      read(service, reader, from, random);
                    } else {
                      list(service, reader, from, random);
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> future : running) {
        future.get();
      }
      check(seed, start.sequence());
    }
    assertThat(readsChecked.get()).isGreaterThan(10);
  }

  private static Callable<Void> repeat(int times, Runnable work) {
    return () -> {
      for (int i = 0; i < times; i++) {
        work.run();
      }
      return null;
    };
  }

  private static NewEntry directory(String path) {
    return NewEntry.directory(Target.of(path));
  }

  private String path(int at, int directory) {
    return root + "/" + PLACES.get(at) + "/d" + directory;
  }

  private static Entry done(Answer<List<Outcome<Entry>>> answer) {
    return answer.value().get(0).orThrow();
  }

  private void write(LocalNameService service, Random random) {
    int at = random.nextInt(PLACES.size());
    int d = random.nextInt(DIRECTORIES);
    int n = random.nextInt(NAMES);
    String name = path(at, d) + "/n" + n;
    switch (random.nextInt(5)) {
      case 0 -> {
        Removal removal = Removal.of(Target.of(name));
        note(service.remove(CallContext.ANONYMOUS, RemoveRequest.of(removal)), () -> values[d][n] = null);
      }
      case 1 -> {
        int to = 1 - at;
        EntryChange move =
            EntryChange.move(
                Target.of(path(at, d)), Target.of(root + "/" + PLACES.get(to)), EntryName.of("d" + d));
        note(service.update(CallContext.ANONYMOUS, UpdateRequest.of(move)), () -> place[d] = to);
      }
      default -> {
        String address = "urn:" + random.nextLong();
        NewEntry entry =
            new NewEntry(
                Target.of(name), List.of(EndpointReference.ofAddress(address)), Metadata.NONE, Precondition.NONE);
        note(service.add(CallContext.ANONYMOUS, AddRequest.of(entry)), () -> values[d][n] = address);
      }
    }
  }

  private void note(Answer<List<Outcome<Entry>>> answer, Runnable effect) {
    if (answer.value().get(0) instanceof Outcome.Done<Entry>) {
      writes.add(new Write(answer.position().sequence(), effect));
      answered.accumulateAndGet(answer.position().sequence(), Math::max);
    }
  }

  private void read(LocalNameService writer, LocalNameService service, Position from, Random random) {
    List<Integer> paths = new ArrayList<>();
    List<Target> targets = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(5); i++) {
      int index = random.nextInt(PLACES.size() * DIRECTORIES * NAMES);
      paths.add(index);
      targets.add(Target.of(path(index % 2, index / 2 % DIRECTORIES) + "/n" + index / 2 / DIRECTORIES));
    }
    Answer<List<Outcome<Entry>>> answer = service.query(CallContext.ANONYMOUS, new QueryRequest(targets, false));
    List<String> found = answer.value().stream().map(ConsistencyTest::address).toList();
    note(writer, service, from, answer.position(), new Read(0, 0, paths, found));
  }

  /** A listing is a read of all names that its directory may have. */
  private void list(LocalNameService writer, LocalNameService service, Position from, Random random) {
    int index = random.nextInt(PLACES.size() * DIRECTORIES);
    ListRequest request = ListRequest.of(Target.of(path(index % 2, index / 2)));
    Answer<Outcome<Page>> answer = service.list(CallContext.ANONYMOUS, request);
    List<Entry> entries = answer.value() instanceof Outcome.Done<Page>(Page page) ? page.entries() : List.of();
    List<Integer> paths = new ArrayList<>();
    List<String> found = new ArrayList<>();
    for (int n = 0; n < NAMES; n++) {
      String name = "n" + n;
      paths.add(index + n * PLACES.size() * DIRECTORIES);
      found.add(
          entries.stream().filter(entry -> entry.displayName().equals(name)).findFirst()
              .map(entry -> address(Outcome.done(entry))).orElse("missing"));
    }
    note(writer, service, from, answer.position(), new Read(0, 0, paths, found));
  }

  private void note(LocalNameService writer, LocalNameService service, Position from, Position at, Read read) {
    assertThat(at.sequence()).isGreaterThanOrEqualTo(from.sequence());
    // At the writer nothing after the position can be excluded, but all of it was begun before the read ended. A
    // follower
    // shows no change before its position has come to it.
    long position = at.sequence();
    long to = service == writer ? writer.position().sequence() + WRITERS : position;
    reads.add(new Read(position, to, read.paths(), read.values()));
  }

  private static String address(Outcome<Entry> outcome) {
    return outcome instanceof Outcome.Done<Entry>(Entry.Junction junction)
        ? junction.references().get(0).address()
        : "missing";
  }

  private void check(long seed, long start) {
    TreeMap<Long, Write> order = new TreeMap<>();
    writes.forEach(write -> assertThat(order.put(write.sequence(), write)).as("seed %s", seed).isNull());
    assertThat(order.lastKey() - start).as("gapless, seed %s", seed).isEqualTo(order.size());
    List<String[]> states = new ArrayList<>();
    states.add(state());
    for (Write write : order.values()) {
      write.effect().run();
      states.add(state());
    }
    for (Read read : reads) {
      int from = (int) (read.from() - start);
      int to = (int) Math.min(read.to() - start, states.size() - 1);
      boolean explained = false;
      for (int s = from; s <= to && !explained; s++) {
        String[] state = states.get(s);
        explained = read.paths().stream().map(path -> state[path]).toList().equals(read.values());
      }
      assertThat(explained)
          .as("seed %s: %s is no state from %s to %s, such as %s", seed, read, from, to,
              Arrays.toString(states.get(from)))
          .isTrue();
      readsChecked.incrementAndGet();
    }
  }

  private String[] state() {
    String[] state = new String[PLACES.size() * DIRECTORIES * NAMES];
    for (int i = 0; i < state.length; i++) {
      int d = i / 2 % DIRECTORIES;
      String value = values[d][i / 2 / DIRECTORIES];
      state[i] = place[d] == i % 2 && value != null ? value : "missing";
    }
    return state;
  }
}
