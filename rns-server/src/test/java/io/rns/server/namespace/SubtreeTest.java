package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryFilter;
import io.rns.api.EntryFilter.Kind;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.NamePattern;
import io.rns.api.Outcome;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreePage.Visit;
import io.rns.api.SubtreePosition;
import io.rns.api.SubtreeRequest;
import io.rns.api.SubtreeRequest.Order;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.client.Entries;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Subtrees, page by page, over a real database. */
@Tag("server")
class SubtreeTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final String NAMES = "ab-!0é.";

  private final String root = "/subtree-" + System.nanoTime();
  private final Random random = new Random(15);
  private Database database;
  private LocalNameService service;

  @BeforeEach
  void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    service = TestServices.start(database);
    add(List.of(NewEntry.directory(Target.of(root))));
  }

  @AfterEach
  void close() {
    service.remove(CALL, RemoveRequest.of(Removal.recursive(Target.of(root))));
    service.close();
    assertThat(database.connectionsInUse()).isZero();
    database.close();
  }

  private void add(List<NewEntry> entries) {
    service.add(CALL, new AddRequest(entries, true, false)).value().forEach(Outcome::orThrow);
  }

  /** A junction, or a directory if the path ends with {@code /}. */
  private static NewEntry entry(String path) {
    return path.endsWith("/")
        ? NewEntry.directory(Target.of(path.substring(0, path.length() - 1)))
        : NewEntry.junction(Target.of(path), EndpointReference.ofAddress("urn:x"));
  }

  private void add(String... below) {
    add(Stream.of(below).map(path -> entry(root + "/" + path)).toList());
  }

  private SubtreeRequest request(Order order, int pageSize) {
    return new SubtreeRequest(
        Target.of(root), order, Limits.PATH_DEPTH, EntryFilter.ALL, pageSize, Optional.empty());
  }

  private static SubtreeRequest with(SubtreeRequest request, int depth, EntryFilter filter) {
    return new SubtreeRequest(
        request.directory(), request.order(), depth, filter, request.pageSize(), request.after());
  }

  private SubtreePage page(SubtreeRequest request) {
    return service.subtree(CALL, request).value().orThrow();
  }

  private List<Visit> all(SubtreeRequest request) {
    return all(request, page -> page.next());
  }

  /** All pages, each beginning where {@code next} says. */
  private List<Visit> all(SubtreeRequest request, Function<SubtreePage, Optional<SubtreePosition>> next) {
    List<Visit> visits = new ArrayList<>();
    SubtreeRequest at = request;
    while (true) {
      SubtreePage page = page(at);
      assertThat(page.entries()).hasSizeLessThanOrEqualTo(request.pageSize());
      visits.addAll(page.entries());
      Optional<SubtreePosition> reached = next.apply(page);
      if (reached.isEmpty()) {
        return visits;
      }
      at = request.after(reached.get());
    }
  }

  /** The same by listings, one directory after the other. */
  private List<Visit> walked(Order order) {
    List<Visit> visits = new ArrayList<>();
    walk(RnsPath.parse(root), 1, order, visits);
    return visits;
  }

  private void walk(RnsPath directory, int depth, Order order, List<Visit> visits) {
    List<Entry> entries = new ArrayList<>();
    Entries.of(service, Target.of(directory)).pagesOf(Limits.PAGE_ENTRIES).forEach(entries::add);
    if (order == Order.LINES) {
      entries.sort(Comparator.comparing(SubtreeTest::lineName));
    }
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      RnsPath path = directory.child(entry.binding().name());
      visits.add(new Visit(path, entry, depth, i == entries.size() - 1));
      if (entry instanceof VirtualDirectory) {
        walk(path, depth + 1, order, visits);
      }
    }
  }

  private static String lineName(Entry entry) {
    return entry.displayName() + (entry instanceof VirtualDirectory ? "/" : "\t");
  }

  private String randomName() {
    StringBuilder name = new StringBuilder("n");
    for (int length = random.nextInt(4); length >= 0; length--) {
      name.append(NAMES.charAt(random.nextInt(NAMES.length())));
    }
    return name.toString();
  }

  /** Adds entries of random paths, so that many names are prefixes of others. */
  private void addRandom(int count) {
    List<String> directories = new ArrayList<>(List.of(root + "/n" + count));
    TreeSet<String> taken = new TreeSet<>();
    List<NewEntry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String path = directories.get(random.nextInt(directories.size())) + "/" + randomName();
      if (taken.add(path)) {
        boolean directory = random.nextBoolean();
        NewEntry entry = entry(directory ? path + "/" : path);
        entries.add(random.nextInt(3) == 0 ? entry.with(Metadata.of(Map.of("k", "v" + random.nextInt(2)))) : entry);
        if (directory) {
          directories.add(path);
        }
      }
    }
    add(entries);
  }

  @Test
  void randomTreesAreAsListingsShowThemWhateverThePages() {
    for (int round = 0; round < 5; round++) {
      addRandom(40 << round);
      for (Order order : Order.values()) {
        List<Visit> expected = walked(order);
        for (int pageSize : new int[]{1, 2, 3 + random.nextInt(20), 4_000}) {
          assertThat(all(request(order, pageSize))).as("%s, pages of %d", order, pageSize).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void anyEntryIsAPositionToGoOnFrom() {
    addRandom(300);
    for (Order order : Order.values()) {
      List<Visit> expected = walked(order);
      for (int i = 0; i < expected.size(); i++) {
        SubtreeRequest rest = request(order, 4_000).after(expected.get(i).position());
        assertThat(page(rest).entries()).as("%s behind %s", order, expected.get(i).position())
            .isEqualTo(expected.subList(i + 1, expected.size()));
      }
    }
  }

  @Test
  void depthAndFiltersTakeEntriesAwayAndNothingElse() {
    addRandom(600);
    List<EntryFilter> filters =
        List.of(
            EntryFilter.ALL,
            new EntryFilter(Optional.of(NamePattern.glob("n*a")), Optional.empty(), Map.of()),
            new EntryFilter(Optional.empty(), Optional.of(Kind.DIRECTORY), Map.of()),
            new EntryFilter(Optional.empty(), Optional.of(Kind.JUNCTION), Map.of("k", "v1")),
            new EntryFilter(Optional.of(NamePattern.glob("none")), Optional.empty(), Map.of()));
    for (Order order : Order.values()) {
      List<Visit> walked = walked(order);
      for (EntryFilter filter : filters) {
        for (int depth : new int[]{1, 2, 3, 50}) {
          List<Visit> expected =
              walked.stream().filter(visit -> visit.depth() <= depth && filter.matches(visit.entry())).toList();
          assertThat(all(with(request(order, 5), depth, filter))).as("%s %s", filter, depth).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void aReaderGoesOnAfterARestart() {
    addRandom(200);
    List<Visit> expected = walked(Order.LINES);
    List<Visit> read = all(request(Order.LINES, 30), page -> {
      service.close();
      service = TestServices.start(database);
      // As a client sends it.
      return page.next().map(position -> SubtreePosition.parse(position.toString()));
    });
    assertThat(read).isEqualTo(expected);
  }

  @Test
  void directoriesOfManyEntriesAreReadInParts() {
    // The directory that is read first has the highest identity.
    add(IntStream.range(0, 9_000).mapToObj(i -> entry(root + "/z/n" + (10_000 + i))).toList());
    add(IntStream.range(0, 5_000).mapToObj(i -> entry(root + "/y/n" + i + "/")).toList());
    add("a/b/c/d", "a/b-c", "a/b/e/");
    for (Order order : Order.values()) {
      List<Visit> expected = walked(order);
      assertThat(expected).hasSize(14_008);
      for (int pageSize : new int[]{700, 4_000, 10_000}) {
        assertThat(all(request(order, pageSize))).as("pages of %d", pageSize).isEqualTo(expected);
      }
    }
  }

  @Test
  void deepTreesAreRead() {
    add("d/".repeat(400), "d/".repeat(400) + "j");
    assertThat(all(request(Order.NAMES, 4_000))).isEqualTo(walked(Order.NAMES)).hasSize(401);
    assertThat(all(request(Order.LINES, 90))).isEqualTo(walked(Order.LINES));
    assertThat(all(with(request(Order.NAMES, 4_000), 17, EntryFilter.ALL))).hasSize(17);
  }

  @Test
  void anEntryBelowThePathsThatThereCanBeIsAnErrorBehindTheOthers() {
    String name = "n".repeat(1_000);
    add("a", (name + "/").repeat(20), (name + "x/").repeat(20), "z");
    service.update(CALL, UpdateRequest.of(
        EntryChange.move(
            Target.of(root + "/" + name + "x"), Target.of(root + ("/" + name).repeat(20)), EntryName.of("moved"))))
        .value().forEach(Outcome::orThrow);
    SubtreePage page = page(request(Order.NAMES, 4_000));
    assertThat(page.entries()).first().extracting(visit -> visit.path().name().toString()).isEqualTo("a");
    assertThat(page.entries().getLast().path().depth()).isBetween(25, 36);
    assertThatThrownBy(() -> page(request(Order.NAMES, 4_000).after(page.next().orElseThrow())))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.LIMIT_EXCEEDED));
  }

  @Test
  void largeEntriesAreReadAsTheyAreAndEndAPage() {
    List<NewEntry> entries = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      int bytes = new int[]{10, 1_020, 3_000, 9_000, 200_000}[i % 5];
      entries.add(entry(root + "/d" + i % 3 + "/n" + i + (i % 2 == 0 ? "/" : ""))
          .with(Metadata.of(Map.of("k" + i % 2, "x".repeat(bytes)))));
    }
    add(entries);
    List<Visit> expected = walked(Order.NAMES);
    assertThat(all(request(Order.NAMES, 4_000))).isEqualTo(expected);
    assertThat(page(request(Order.NAMES, 4_000)).entries()).as("a page of large entries").hasSizeLessThan(35);
    EntryFilter filter = new EntryFilter(Optional.empty(), Optional.empty(), Map.of("k1", "x".repeat(200_000)));
    assertThat(all(with(request(Order.NAMES, 4_000), 9, filter)))
        .isEqualTo(expected.stream().filter(visit -> filter.matches(visit.entry())).toList()).isNotEmpty();
  }

  @Test
  void entriesThatStayAreReportedOnceWhateverIsWritten() throws Exception {
    addRandom(400);
    List<RnsPath> stay = walked(Order.NAMES).stream().map(Visit::path).toList();
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<Integer> writer = thread.submit(() -> disturb(over));
      for (int round = 0; round < 5; round++) {
        for (Order order : Order.values()) {
          List<RnsPath> seen = all(request(order, 1 + random.nextInt(40))).stream().map(Visit::path).toList();
          List<RnsPath> stayed = new ArrayList<>(seen);
          stayed.retainAll(new TreeSet<>(stay));
          assertThat(stayed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(stay);
        }
      }
      over.set(true);
      assertThat(writer.get()).isPositive();
    } finally {
      over.set(true);
    }
  }

  /** Adds, moves and removes entries with names that sort among those that stay. */
  private int disturb(AtomicBoolean over) {
    Random choice = new Random(4);
    List<RnsPath> directories =
        walked(Order.NAMES).stream().filter(visit -> visit.entry() instanceof VirtualDirectory).map(Visit::path)
            .toList();
    int done = 0;
    while (!over.get()) {
      RnsPath directory = directories.get(choice.nextInt(directories.size()));
      RnsPath made = directory.child(EntryName.of("n" + NAMES.charAt(choice.nextInt(NAMES.length())) + "~"));
      RnsPath other = directories.get(choice.nextInt(directories.size())).child(EntryName.of("n~" + done));
      add(List.of(NewEntry.directory(Target.of(made)), entry(made + "/j")));
      service.update(CALL, UpdateRequest.of(
          EntryChange.move(Target.of(made), Target.of(other.parent()), other.name())));
      service.remove(CALL, RemoveRequest.of(Removal.recursive(Target.of(other))));
      service.remove(CALL, RemoveRequest.of(Removal.recursive(Target.of(made))));
      done++;
    }
    return done;
  }

  @Test
  void whatIsNoDirectoryIsRefusedAndSoArePositionsElsewhere() {
    add("j");
    SubtreeRequest request = request(Order.NAMES, 10);
    for (String path : List.of(root + "/none", root + "/j", root + "/j/x")) {
      ListRequest listing = ListRequest.of(Target.of(path));
      SubtreeRequest subtree = new SubtreeRequest(
          Target.of(path), Order.NAMES, 1, EntryFilter.ALL, 10, Optional.empty());
      assertThat(((Outcome.Refused<?>) service.subtree(CALL, subtree).value()).refusal())
          .isEqualTo(((Outcome.Refused<?>) service.list(CALL, listing).value()).refusal());
    }
    for (String position : List.of("/elsewhere/x", root, root + "-x/y")) {
      assertThatThrownBy(() -> request.after(SubtreePosition.parse(position)))
          .hasMessageContaining("is not below " + root);
    }
    assertThatThrownBy(() -> SubtreePosition.parse("/")).hasMessageContaining("no position in a subtree");
    // Neither the entry nor the directory it was in has to exist.
    assertThat(page(request.after(SubtreePosition.parse(root + "/h/i/"))).entries()).hasSize(1);
    assertThat(page(request.after(SubtreePosition.parse(root + "/j/i"))).entries()).isEmpty();
  }
}
