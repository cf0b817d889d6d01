package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.NamePattern;
import io.rns.api.NamePattern.Syntax;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.server.TestDatabase;
import io.rns.server.memory.MemoryPool;
import io.rns.server.memory.RequestMemory;
import io.rns.server.store.Database;
import io.rns.server.store.DatabaseSettings;
import io.rns.server.store.EntryTable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many round trips to the database a read makes. */
@Tag("server")
class ReadStatementsTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final int ENTRIES = 1_200;

  private final String root = "/read-statements-" + System.nanoTime();
  private Database database;
  private LocalNameService service;

  @BeforeEach
  void open() {
    String url = TestDatabase.sharedUrl();
    Duration bound = Duration.ofSeconds(60);
    // One connection of reads, whose session counts their statements and no others.
    database = new Database(new DatabaseSettings(url, "rns", "rns", 1, bound, bound, Duration.ofMinutes(30), bound, 0));
    service = TestServices.start(database);
  }

  @AfterEach
  void close() {
    service.remove(CALL, RemoveRequest.of(Removal.recursive(Target.of(root))));
    service.close();
    assertThat(database.connectionsInUse()).isZero();
    database.close();
  }

  private void add(List<NewEntry> entries) {
    assertThat(service.add(CALL, new AddRequest(entries, true, false)).value())
        .allMatch(Outcome.Done.class::isInstance);
  }

  private static NewEntry junction(String path) {
    return NewEntry.junction(Target.of(path), EndpointReference.ofAddress("urn:" + path));
  }

  /** Runs a read, and counts its statements. */
  private <T> T statements(long expected, Supplier<T> read) {
    long before = selects();
    T result = read.get();
    assertThat(selects() - before).isEqualTo(expected);
    return result;
  }

  private long selects() {
    return database.read(
        connection -> {
          try (var row = connection.createStatement().executeQuery("SHOW SESSION STATUS LIKE 'Com_select'")) {
            row.next();
            return row.getLong(2);
          }
        });
  }

  private Page list(int pageSize) {
    return service.list(CALL, new ListRequest(Target.of(root), pageSize, Optional.empty(), Optional.empty()))
        .value().orThrow();
  }

  private void warm() {
    service.query(CALL, QueryRequest.of(Target.of(root)));
  }

  @Test
  void aPageOf100IsOneStatementAndOneOf1000AreTwo() {
    addMany();
    warm();
    assertThat(statements(1, () -> list(100)).entries()).hasSize(100);
    assertThat(statements(2, () -> list(1_000)).entries()).hasSize(1_000);
  }

  private void addMany() {
    add(IntStream.range(0, ENTRIES).mapToObj(i -> junction(root + "/n" + (10_000 + i))).toList());
  }

  @Test
  void aPageThatWasReadIsAnsweredFromTheCacheUntilItsDirectoryChanges() {
    addMany();
    warm();
    Page page = statements(2, () -> list(1_000));
    assertThat(statements(0, () -> list(1_000))).isEqualTo(page);
    Page shorter = statements(0, () -> list(7));
    assertThat(shorter.entries()).isEqualTo(page.entries().subList(0, 7));
    assertThat(shorter.next().orElseThrow().after()).isEqualTo(page.entries().get(6).binding().name());
    // The same list is written once.
    assertThat(list(7).entries()).isSameAs(shorter.entries());
    assertThat(list(1_000).entries()).isSameAs(list(1_000).entries());

    add(List.of(junction(root + "-beside/n")));
    assertThat(statements(0, () -> list(1_000))).isEqualTo(page);
    service.remove(CALL, RemoveRequest.of(Removal.recursive(Target.of(root + "-beside"))));

    add(List.of(junction(root + "/a")));
    assertThat(statements(1, () -> list(3)).entries().getFirst().displayName()).isEqualTo("a");
    Target moved = Target.of(root + "/b");
    service.update(CALL, UpdateRequest.of(EntryChange.rename(Target.of(root + "/a"), EntryName.of("b"))));
    assertThat(statements(1, () -> list(3)).entries().getFirst().displayName()).isEqualTo("b");
    service.remove(CALL, RemoveRequest.of(Removal.of(moved)));
    assertThat(statements(1, () -> list(3)).entries()).isEqualTo(page.entries().subList(0, 3));
  }

  /** All entries of a small directory are known: any page of it from the beginning on is. */
  @Test
  void aWholeDirectoryIsAnsweredFromTheCache() {
    add(IntStream.range(0, 5).mapToObj(i -> junction(root + "/n" + i)).toList());
    warm();
    assertThat(statements(1, () -> list(100)).entries()).hasSize(5);
    assertThat(statements(0, () -> list(10_000)).entries()).hasSize(5);
    ListRequest odd =
        new ListRequest(Target.of(root), 100, Optional.empty(), Optional.of(NamePattern.of(Syntax.REGEX, ".[13]")));
    assertThat(statements(0, () -> service.list(CALL, odd).value().orThrow()).entries())
        .extracting(Entry::displayName).containsExactly("n1", "n3");
    Target empty = Target.of(root + "/n-empty");
    add(List.of(NewEntry.directory(empty)));
    service.query(CALL, QueryRequest.of(empty));
    assertThat(statements(1, () -> service.list(CALL, ListRequest.of(empty)).value().orThrow()).entries()).isEmpty();
    assertThat(statements(0, () -> service.list(CALL, ListRequest.of(empty)).value().orThrow()).entries()).isEmpty();
  }

  /** What is read first is not read in vain if the page turns out to be a large one that has to wait for its turn. */
  @Test
  void aLargePageIsReadOnceAlsoIfItHasToWaitForItsTurn() {
    addMany();
    warm();
    try (RequestMemory request = new MemoryPool(16 << 20).open()) {
      request.bind();
      assertThat(statements(2, () -> list(1_000)).entries()).hasSize(1_000);
      assertThat(statements(0, () -> list(1_000)).entries()).hasSize(1_000);
    } finally {
      RequestMemory.unbind();
    }
  }

  /** Entries too large to be read by the dozen are read one by one, and no more of them than the page has. */
  @Test
  void aPageOfLargeEntriesReadsNoMoreThanItsShare() {
    String text = "x".repeat(100_000);
    add(IntStream.range(0, 60).mapToObj(i -> junction(root + "/n" + (100 + i)).with(Metadata.of(Map.of("k", text))))
        .toList());
    warm();
    int few = EntryTable.STRETCH_BYTES / text.length() + 1;
    Page page = statements(1L + few, () -> list(100));
    assertThat(page.entries()).hasSize(few);
    assertThat(page.next()).isPresent();
  }
}
