package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
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
    database = new Database(new DatabaseSettings(url, "rns", "rns", 1, bound, bound, Duration.ofMinutes(30), bound));
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
    add(IntStream.range(0, ENTRIES).mapToObj(i -> junction(root + "/n" + (10_000 + i))).toList());
    warm();
    assertThat(statements(1, () -> list(100)).entries()).hasSize(100);
    assertThat(statements(2, () -> list(1_000)).entries()).hasSize(1_000);
  }

  /** What is read first is not read in vain if the page turns out to be a large one that has to wait for its turn. */
  @Test
  void aLargePageIsReadOnceAlsoIfItHasToWaitForItsTurn() {
    add(IntStream.range(0, ENTRIES).mapToObj(i -> junction(root + "/n" + (10_000 + i))).toList());
    warm();
    try (RequestMemory request = new MemoryPool(16 << 20).open()) {
      request.bind();
      assertThat(statements(2, () -> list(1_000)).entries()).hasSize(1_000);
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
