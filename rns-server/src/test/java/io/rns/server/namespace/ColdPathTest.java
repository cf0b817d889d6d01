package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Positions;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.EffectiveAccess;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import io.rns.server.store.DatabaseSettings;
import io.rns.server.store.EntryKey;
import io.rns.server.store.EntryTable;
import io.rns.server.store.GroupTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Paths that are not cached, or only in part: a statement follows many names at once, and finds what a statement for
 * each name finds.
 */
@Tag("server")
class ColdPathTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final String ROOT = "/cold-" + System.nanoTime();
  private static final List<String> NAMES = List.of("a", "b", "Ä", "ä", "\uD83D\uDE00", "a ", "n".repeat(1_000));
  private static final int ENTRIES = 400;
  private static final int PATHS = 300;
  private static final int LARGE_CACHE = 16 << 20;

  private static Database database;
  private static LocalNameService service;
  private static final List<Entry> DIRECTORIES = new ArrayList<>();
  private static final List<String> PATHS_OF_ENTRIES = new ArrayList<>();

  @BeforeAll
  static void open() {
    Duration bound = Duration.ofSeconds(60);
    // One connection of reads, whose session counts their statements and no others.
    database =
        new Database(
            new DatabaseSettings(
                TestDatabase.sharedUrl(), "rns", "rns", 1, bound, bound, Duration.ofMinutes(30), bound, 0));
    service = TestServices.start(database);
    makeTree(new Random(7));
  }

  @AfterAll
  static void close() {
    service.remove(CALL, RemoveRequest.of(Removal.recursive(Target.of(ROOT))));
    service.close();
    assertThat(database.connectionsInUse()).isZero();
    database.close();
  }

  /** Directories up to about 30 levels deep, some of them with metadata too large to be read with others. */
  private static void makeTree(Random random) {
    List<String> directories = new ArrayList<>(List.of(ROOT));
    add(NewEntry.directory(Target.of(ROOT)));
    for (int i = 0; i < ENTRIES; i++) {
      int recent = directories.size() - 1 - random.nextInt(Math.min(3, directories.size()));
      String parent = directories.get(random.nextInt(4) > 0 ? recent : random.nextInt(directories.size()));
      String path = parent + "/" + NAMES.get(random.nextInt(NAMES.size()));
      if (RnsPath.parse(path).depth() > 30 || PATHS_OF_ENTRIES.contains(path)) {
        continue;
      }
      boolean junction = random.nextInt(4) == 0;
      NewEntry entry =
          junction
              ? NewEntry.junction(Target.of(path), EndpointReference.ofAddress("urn:" + i))
              : NewEntry.directory(Target.of(path));
      if (random.nextInt(6) == 0) {
        entry = entry.with(Metadata.of(Map.of("k", "x".repeat(random.nextInt(20_000)))));
      }
      Entry added = add(entry);
      PATHS_OF_ENTRIES.add(path);
      if (!junction) {
        directories.add(path);
        DIRECTORIES.add(added);
      }
    }
  }

  private static Entry add(NewEntry entry) {
    return service.add(CALL, AddRequest.of(entry)).value().get(0).orThrow();
  }

  /** Paths of entries, below them, and beside them; now and then from a directory's identity on. */
  private static Target target(Random random) {
    List<String> names = new ArrayList<>();
    String path = PATHS_OF_ENTRIES.get(random.nextInt(PATHS_OF_ENTRIES.size()));
    RnsPath.parse(path).names().forEach(name -> names.add(name.toString()));
    int changes = random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      String name = random.nextBoolean() ? "missing" : NAMES.get(random.nextInt(NAMES.size()));
      if (random.nextBoolean()) {
        names.add(name);
      } else {
        names.set(random.nextInt(names.size()), name);
      }
    }
    int from = random.nextInt(5) > 0 ? 0 : random.nextInt(names.size() + 1);
    List<EntryName> rest = names.subList(from, names.size()).stream().map(EntryName::of).toList();
    EntryId start = from == 0 ? EntryId.ROOT : DIRECTORIES.get(random.nextInt(DIRECTORIES.size())).id();
    return new Target(start, RnsPath.of(rest));
  }

  private static TreeReader reader(int cacheBytes) {
    GroupTable.GroupRow group = database.read(GroupTable::find);
    return new TreeReader(
        database, new EntryCache(cacheBytes), new ServedPosition(group.position(), Positions.NONE, Instant.EPOCH));
  }

  private static Resolution resolve(TreeReader reader, Target target) {
    return reader.consistently(TreeAccess.ALL, source -> Resolution.of(source, target)).value();
  }

  /** The same by a statement for each name. */
  private static Resolution oneByOne(Target target) {
    return database.read(
        connection -> {
          Entry entry =
              target.start().equals(EntryId.ROOT)
                  ? EntryTable.find(connection, EntryKey.ROOT)
                  : EntryTable.find(connection, target.start());
          List<EntryName> names = target.path().names();
          for (int i = 0; i < names.size(); i++) {
            if (!(entry instanceof VirtualDirectory directory)) {
              return new Resolution.Blocked(i);
            }
            entry = EntryTable.find(connection, new EntryKey(directory.id().value(), names.get(i)));
            if (entry == null) {
              return new Resolution.Missing(i + 1, directory, EffectiveAccess.NONE);
            }
          }
          return new Resolution.Found(entry, EffectiveAccess.NONE);
        });
  }

  private static <T> T statements(int expected, Supplier<T> read) {
    long before = selects();
    T result = read.get();
    assertThat(selects() - before).isEqualTo(expected);
    return result;
  }

  /** Resolves a path of which nothing is cached, and counts the statements. */
  private static Resolution cold(int expected, Target target) {
    TreeReader reader = reader(LARGE_CACHE);
    return statements(expected, () -> resolve(reader, target));
  }

  private static long selects() {
    return database.read(
        connection -> {
          try (var row = connection.createStatement().executeQuery("SHOW SESSION STATUS LIKE 'Com_select'")) {
            row.next();
            return row.getLong(2);
          }
        });
  }

  @Test
  void aColdPathFindsWhatAStatementForEachNameFindsAndIsCached() {
    Random random = new Random(1);
    List<Class<?>> kinds = new ArrayList<>();
    for (int i = 0; i < PATHS; i++) {
      Target target = target(random);
      Resolution expected = oneByOne(target);
      TreeReader reader = reader(LARGE_CACHE);
      assertThat(resolve(reader, target)).as("%s", target).isEqualTo(expected);
      assertThat(statements(0, () -> resolve(reader, target))).as("%s", target).isEqualTo(expected);
      kinds.add(expected.getClass());
    }
    assertThat(kinds).contains(Resolution.Found.class, Resolution.Missing.class, Resolution.Blocked.class);
  }

  /** A small cache has lost any part of a path, also from its middle. */
  @ParameterizedTest
  @ValueSource(ints = {0, 10_000, 100_000})
  void aPathCachedInPartFindsTheSame(int cacheBytes) {
    Random random = new Random(2);
    TreeReader reader = reader(cacheBytes);
    TreeReader replica = reader(cacheBytes);
    replica.setFollowing(true);
    for (int i = 0; i < PATHS; i++) {
      Target target = target(random);
      Resolution expected = oneByOne(target);
      assertThat(resolve(reader, target)).as("%s", target).isEqualTo(expected);
      assertThat(resolve(replica, target)).as("%s on a replica", target).isEqualTo(expected);
    }
  }

  @Test
  void manyPathsAtOnceFindTheSame() {
    Random random = new Random(3);
    for (int i = 0; i < PATHS / 5; i++) {
      List<Target> targets = new ArrayList<>();
      for (int j = 0; j < 1 + random.nextInt(8); j++) {
        targets.add(target(random));
      }
      List<Resolution> found =
          reader(LARGE_CACHE)
              .consistently(
                  TreeAccess.ALL, source -> {
                    Resolution.prefetch(source, targets);
                    return targets.stream().map(target -> Resolution.of(source, target)).toList();
                  })
              .value();
      assertThat(found).isEqualTo(targets.stream().map(ColdPathTest::oneByOne).toList());
    }
  }

  @Test
  void aSnapshotFindsTheSame() {
    Random random = new Random(4);
    for (int i = 0; i < PATHS / 5; i++) {
      Target target = target(random);
      EntryCache cache = new EntryCache(LARGE_CACHE);
      ServedPosition served = new ServedPosition(
          database.read(GroupTable::find).position(), Positions.NONE, Instant.EPOCH);
      AtomicBoolean first = new AtomicBoolean(true);
      TreeReader.Read<Resolution> read =
          new TreeReader(database, cache, served)
              .consistently(
                  TreeAccess.ALL, source -> {
                    Resolution found = Resolution.of(source, target);
                    if (first.getAndSet(false)) {
                      cache.clear();
                    }
                    return found;
                  });
      assertThat(first).isFalse();
      assertThat(read.value()).as("%s", target).isEqualTo(oneByOne(target));
    }
  }

  private static Target chain(String name, int depth) {
    Target target = Target.of(ROOT + ("/" + name).repeat(depth - 1));
    assertThat(service.add(CALL, AddRequest.of(NewEntry.directory(target)).withParents()).value())
        .allMatch(Outcome.Done.class::isInstance);
    return target;
  }

  @Test
  void aPathOfFourNamesIsOneStatement() {
    Target target = chain("four", 4);
    assertThat(cold(1, target)).isInstanceOf(Resolution.Found.class);
    TreeReader replica = reader(LARGE_CACHE);
    replica.setFollowing(true);
    assertThat(statements(1, () -> resolve(replica, target))).isInstanceOf(Resolution.Found.class);
  }

  /** The root is one of them. */
  @Test
  void aStatementFollowsEightNames() {
    assertThat(cold(1, chain("long", 7)))
        .isInstanceOf(Resolution.Found.class);
    Target longer = chain("long", 8);
    assertThat(cold(2, longer)).isInstanceOf(Resolution.Found.class);
    Target deep = chain("long", 30);
    assertThat(cold(4, deep)).isInstanceOf(Resolution.Found.class);
  }

  @Test
  void aMissingNameOrAJunctionEndsThePathInOneStatement() {
    add(NewEntry.junction(Target.of(ROOT + "/junction"), EndpointReference.ofAddress("urn:x")));
    assertThat(cold(1, Target.of(ROOT + "/no/such/name")))
        .isInstanceOfSatisfying(Resolution.Missing.class, missing -> assertThat(missing.missing()).isEqualTo(2));
    assertThat(cold(1, Target.of(ROOT + "/junction/below/it")))
        .isEqualTo(new Resolution.Blocked(2));
  }

  @Test
  void namesOfOneDirectoryAreTwoStatements() {
    Target directory = chain("many", 5);
    List<Target> targets = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Target target = new Target(directory.start(), directory.path().child(EntryName.of("n" + i)));
      add(NewEntry.directory(target));
      targets.add(target);
    }
    TreeReader reader = reader(LARGE_CACHE);
    List<Resolution> found =
        statements(
            2,
            () -> reader.consistently(
                TreeAccess.ALL, source -> {
                  Resolution.prefetch(source, targets);
                  return targets.stream().map(target -> Resolution.of(source, target)).toList();
                }).value());
    assertThat(found).allMatch(Resolution.Found.class::isInstance);
  }
}
