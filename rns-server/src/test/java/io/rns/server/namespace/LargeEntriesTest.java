package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Cursor;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.memory.MemoryPool;
import io.rns.server.memory.RequestMemory;
import io.rns.server.store.Database;
import io.rns.server.store.EntryTable;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Entries as large as they may be: what a page, an answer or a transaction holds is bounded by bytes. */
@Tag("server")
@Tag("slow")
class LargeEntriesTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final CallContext CALL = CallContext.ANONYMOUS;
  private static final String ROOT = "/large-" + System.nanoTime();
  private static final int ENTRIES = 80;

  private static Database database;
  private static LocalNameService service;

  @BeforeAll
  static void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    database.migrate();
    service = LocalNameService.start(database, 8 << 20, TestServices.WRITER, InstantSource.system());
    for (int i = 0; i < ENTRIES; i += 20) {
      int first = i;
      List<NewEntry> entries = IntStream.range(0, 20).mapToObj(each -> large(path(first + each))).toList();
      assertThat(service.add(CALL, new AddRequest(entries, true, false)).value())
          .allMatch(Outcome.Done.class::isInstance);
    }
  }

  @AfterAll
  static void close() {
    service.remove(CALL, RemoveRequest.of(Removal.recursive(Target.of(ROOT))));
    service.close();
    assertThat(database.connectionsInUse()).isZero();
    database.close();
  }

  private static String path(int number) {
    return ROOT + "/n" + (100 + number);
  }

  /** About 512 KiB. */
  private static NewEntry large(String path) {
    String text = "x".repeat(Limits.EPR_BYTES - 300);
    EndpointReference[] references = new EndpointReference[3];
    for (int i = 0; i < references.length; i++) {
      references[i] = EndpointReference.ofAddress("urn:" + i + text);
    }
    return NewEntry.junction(Target.of(path), references).with(metadata("x"));
  }

  private static Metadata metadata(String text) {
    return Metadata.of(Map.of("k", text.repeat(Limits.METADATA_BYTES - 100)));
  }

  private static List<Target> targets(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> Target.of(path(i))).toList();
  }

  private static void refused(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.LIMIT_EXCEEDED))
        .hasMessageContaining("the limit is " + Limits.ANSWER_BYTES + " bytes");
  }

  /** How many of them are just too many for one answer. */
  private static int tooMany() {
    Entry one = service.query(CALL, QueryRequest.of(Target.of(path(0)))).value().get(0).orThrow();
    return (int) (Limits.ANSWER_BYTES / EntryTable.contentBytes(one)) + 1;
  }

  @Test
  void aPageEndsEarlyAndTheListingIsWhole() {
    List<String> names = new ArrayList<>();
    Optional<Cursor> cursor = Optional.empty();
    int pages = 0;
    do {
      ListRequest request = new ListRequest(Target.of(ROOT), Limits.PAGE_ENTRIES, cursor, Optional.empty());
      Page page = service.list(CALL, request).value().orThrow();
      assertThat(page.entries()).hasSizeBetween(1, 30);
      page.entries().forEach(entry -> names.add(entry.displayName()));
      cursor = page.next();
      pages++;
    } while (cursor.isPresent());
    assertThat(names).startsWith("n100", "n101").hasSizeGreaterThanOrEqualTo(ENTRIES).isSorted()
        .doesNotHaveDuplicates();
    assertThat(pages).isGreaterThan(4);
  }

  @Test
  void anAnswerHasALimitHoweverTheEntriesAreAskedFor() {
    int tooMany = tooMany();
    List<Outcome<Entry>> most = service.query(CALL, new QueryRequest(targets(0, 20), false)).value();
    assertThat(most).allMatch(Outcome.Done.class::isInstance);
    List<Target> same = Collections.nCopies(tooMany, Target.of(path(0)));
    assertThat(service.query(CALL, new QueryRequest(same.subList(1, tooMany), false)).value()).hasSize(tooMany - 1);
    refused(() -> service.query(CALL, new QueryRequest(same, false)));
    refused(() -> service.query(CALL, new QueryRequest(Collections.nCopies(10_000, Target.of(path(1))), false)));
  }

  @Test
  void aWriteOfMoreThanOneTransactionMayHaveIsRefusedAndOthersGoOn() throws Exception {
    List<NewEntry> entries = new ArrayList<>();
    String directory = ROOT + "/z-many";
    for (int batch = 0; batch < 4; batch++) {
      entries.clear();
      for (int i = 0; i < 25; i++) {
        entries.add(large(directory + "/n" + batch + "-" + i));
      }
      service.add(CALL, new AddRequest(entries, true, false));
    }
    List<Removal> removals = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      removals.add(Removal.of(Target.of(directory + "/n" + i / 25 + "-" + i % 25)));
    }
    refused(() -> service.remove(CALL.with(RequestId.random()), new RemoveRequest(removals, false)));
    assertThat(service.query(CALL, new QueryRequest(targets(0, 1), false)).value().get(0))
        .isInstanceOf(Outcome.Done.class);
    // What a directory has is not read when it goes.
    service.query(CALL, QueryRequest.of(Target.of(directory)));
    Eventually.until("what others have removed is gone", BOUND,
        () -> number("SELECT COUNT(*) FROM removed_directory") == 0);
    long writer = writerThread();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(writer);
    service.remove(CALL, RemoveRequest.of(Removal.recursive(Target.of(directory))));
    Eventually.until("the rows are deleted", BOUND, () -> number("SELECT COUNT(*) FROM removed_directory") == 0);
    assertThat(threads.getThreadAllocatedBytes(writer) - before).as("allocated by the writer").isLessThan(20L << 20);
  }

  private static long writerThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("rns-writer") && thread.isAlive())
        .mapToLong(Thread::threadId)
        .max()
        .orElseThrow();
  }

  private static long number(String sql) {
    return database.read(
        connection -> {
          try (var row = connection.createStatement().executeQuery(sql)) {
            row.next();
            return row.getLong(1);
          }
        });
  }

  @Test
  void anAnswerLargerThanADatabaseTakesAtOnceIsGivenAgain() {
    String directory = ROOT + "/y";
    List<NewEntry> entries = new ArrayList<>();
    for (int batch = 0; batch < 2; batch++) {
      entries.clear();
      for (int i = 0; i < 22; i++) {
        entries.add(large(directory + "/n" + batch + "-" + i));
      }
      assertThat(service.add(CALL, new AddRequest(entries, true, false)).value())
          .allMatch(Outcome.Done.class::isInstance);
    }
    List<EntryChange> changes = new ArrayList<>();
    List<Removal> removals = new ArrayList<>();
    for (int i = 0; i < 44; i++) {
      Target target = Target.of(directory + "/n" + i / 22 + "-" + i % 22);
      changes.add(EntryChange.rename(target, EntryName.of("m" + i)));
      removals.add(Removal.of(Target.of(directory + "/m" + i)));
    }
    CallContext updating = CALL.with(RequestId.random());
    CallContext removing = CALL.with(RequestId.random());
    Answer<List<Outcome<Entry>>> updated = service.update(updating, new UpdateRequest(changes, true));
    assertThat(updated.value()).allMatch(Outcome.Done.class::isInstance);
    Answer<List<Outcome<Entry>>> removed = service.remove(removing, new RemoveRequest(removals, true));
    assertThat(removed.value()).allMatch(Outcome.Done.class::isInstance);
    assertThat(service.update(updating, new UpdateRequest(changes, true)).equals(updated)).as("the same answer")
        .isTrue();
    assertThat(service.remove(removing, new RemoveRequest(removals, true)).equals(removed)).as("the same answer")
        .isTrue();
  }

  @Test
  void aRequestHoldsWhatItReadUntilItReadsAgainOrIsAnswered() {
    MemoryPool pool = new MemoryPool(4 << 20);
    QueryRequest query = QueryRequest.of(Target.of(path(0)));
    long content = EntryTable.contentBytes(service.query(CALL, query).value().get(0).orThrow());
    RequestMemory request = pool.open();
    request.bind();
    try (request) {
      // Found in the cache, which may let go of it before the client has read the answer.
      assertThat(service.query(CALL, query).value()).hasSize(1);
      assertThat(pool.taken()).isBetween(content, content + RequestMemory.FREE_BYTES);
      assertThat(service.query(CALL, query).value()).hasSize(1);
      assertThat(pool.taken()).isBetween(content, content + RequestMemory.FREE_BYTES);
      assertThatThrownBy(() -> service.query(CALL, new QueryRequest(targets(0, 12), false)))
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.BUSY));
      assertThat(pool.taken()).as("what could not be read is not held").isZero();
    } finally {
      RequestMemory.unbind();
    }
    assertThat(pool.taken()).isZero();
  }
}
