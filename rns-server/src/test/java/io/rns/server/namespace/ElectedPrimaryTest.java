package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AccessControl;
import io.rns.replication.member.CommitWait;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A primary whose database has had another one elected, which its server does not know yet. */
@Tag("server")
class ElectedPrimaryTest {
  private static final Duration BOUND = Duration.ofSeconds(60);

  private final Target entry = Target.of("/elected-" + System.nanoTime());
  private Database database;
  private LocalNameService former;
  private LocalNameService next;

  @BeforeEach
  void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    database.migrate();
    former = opened();
    next = opened();
  }

  private LocalNameService opened() {
    return LocalNameService.open(
        database, 1 << 20, TestServices.IN_GROUP, InstantSource.system(), AccessControl.open(), true);
  }

  @AfterEach
  void close() {
    former.close();
    next.close();
    assertThat(database.connectionsInUse()).isZero();
    database.close();
  }

  private static void lead(LocalNameService names) {
    assertThat(names.lead(0, List.of(), CommitWait.FOR_ONE, last -> true)).isPresent();
  }

  private Outcome<Entry> found() {
    return former.query(CallContext.ANONYMOUS, QueryRequest.of(entry)).value().getFirst();
  }

  /** The answer told an earlier position, so the session did not find it again at a server that had come that far. */
  @Test
  void whatTheNextPrimaryHasWrittenIsNotReadAsOfAnEarlierPosition() {
    lead(former);
    lead(next);
    assertThat(
        next.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(entry))).value().getFirst())
        .isInstanceOf(Outcome.Done.class);
    assertThatThrownBy(this::found).isInstanceOfSatisfying(
        RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
    former.standDown("the databases have elected another one");
    former.follow();
    assertThat(former.awaitServed(Positions.of(next.position()), BOUND)).isTrue();
    assertThat(found()).isInstanceOf(Outcome.Done.class);
  }
}
