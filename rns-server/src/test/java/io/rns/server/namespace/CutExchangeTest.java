package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.member.CommitWait;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import io.rns.server.store.GroupTable;
import io.rns.server.store.GroupTable.GroupRow;
import io.rns.server.store.Statements;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A write is one exchange with the database; wherever the connection ends in it, it is applied once and answered. */
@Tag("server")
class CutExchangeTest {
  private static final CallContext CALL = CallContext.ANONYMOUS;

  /** Bytes between the positions that are tried: 1 tries them all, in minutes. */
  private static final int STRIDE = Integer.getInteger("rns.test.stride", 23);

  private final String root = "/cut-" + System.nanoTime();
  private ByteCutter link;
  private Database database;
  private LocalNameService service;

  @BeforeEach
  void open() throws Exception {
    String url = TestDatabase.sharedUrl();
    int port = URI.create(url.substring("jdbc:".length())).getPort();
    link = new ByteCutter(port);
    database = new Database(TestDatabase.settings(url.replace(":" + port + "/", ":" + link.port() + "/")));
    service = TestServices.start(database);
    service.add(CALL, AddRequest.of(NewEntry.directory(Target.of(root)))).value().getFirst().orThrow();
    add("warm-1");
    add("warm-2");
  }

  @AfterEach
  void close() throws Exception {
    service.close();
    database.close();
    link.close();
  }

  /** Names of one length, so that all exchanges have the same one. */
  private Outcome<Entry> add(String name) {
    NewEntry entry = NewEntry.junction(Target.of(root + "/" + name), EndpointReference.ofAddress("urn:x"));
    return service.add(CALL.with(RequestId.random()), AddRequest.of(entry)).value().getFirst();
  }

  @ParameterizedTest
  @EnumSource(ByteCutter.Way.class)
  void aWriteWhoseExchangeIsCutAnywhereIsAppliedOnce(ByteCutter.Way way) {
    long before = link.passed(way);
    add("same-00000");
    long length = link.passed(way) - before;
    // MariaDB answers a transaction with one packet.
    assertThat(length).isBetween(7L, 5_000L);
    long stride = Math.clamp(length / 10, 1, STRIDE);
    int writes = 1;
    for (long bytes = 0; bytes <= length; bytes += stride) {
      String name = "same-" + (10_000 + bytes);
      Position last = service.position();
      link.cutAfter(way, bytes);
      Entry added = add(name).orThrow();
      writes++;
      assertThat(added.version()).as("after %d bytes", bytes).isEqualTo(last.sequence() + 1);
      assertThat(service.position().sequence()).as("after %d bytes", bytes).isEqualTo(last.sequence() + 1);
      Entry found = service.query(CALL, QueryRequest.of(Target.of(root + "/" + name))).value().getFirst().orThrow();
      assertThat(found).isEqualTo(added);
    }
    link.cutAfter(way, Long.MAX_VALUE);
    QueryRequest counted = new QueryRequest(List.of(Target.of(root)), true);
    Entry directory = service.query(CALL, counted).value().getFirst().orThrow();
    assertThat(((Entry.VirtualDirectory) directory).entries()).isEqualTo(2 + writes);
  }

  /** Also by a database whose sessions are not strict unless they say so. */
  @Test
  void aTransactionThatComesLateIsRefused() throws Exception {
    service.close();
    database.close();
    database =
        new Database(
            TestDatabase.settings(
                TestDatabase.sharedUrl() + "&sessionVariables=sql_mode=''&jdbcCompliantTruncation=false"));
    GroupRow begin =
        Writer.begin(database, InstantSource.system().instant(), 0, List.of(), CommitWait.FOR_ONE, last -> true)
            .orElseThrow().row();
    CommittedRow row = new CommittedRow(database, InstantSource.system(), begin, 1);
    GroupRow confirmed = row.confirm();
    assertThat(confirmed.position()).isEqualTo(begin.position());
    assertThatThrownBy(() -> replace(begin)).isInstanceOfSatisfying(
        RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INTERNAL));
    assertThat(database.read(GroupTable::find).isSameState(confirmed)).isTrue();
    replace(confirmed);
    assertThat(database.read(GroupTable::find).position().sequence()).isEqualTo(begin.position().sequence() + 1);
    service = TestServices.start(database);
  }

  private void replace(GroupRow before) {
    Position old = before.position();
    Position next = new Position(old.group(), old.epoch(), old.sequence() + 1);
    GroupRow after = new GroupRow(next, before.lastEntry(), before.lastAnswers(), before.beat(), before.reflected(),
        before.confirmed());
    boolean unused =
        database.writeToTheEnd(
            connection -> {
              Statements statements = new Statements(connection);
              GroupTable.replace(statements, before, after);
              statements.commit();
              return true;
            });
  }
}
