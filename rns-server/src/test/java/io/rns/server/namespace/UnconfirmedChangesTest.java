package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.MemberList;
import io.rns.replication.member.CommitWait;
import io.rns.server.Eventually;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import io.rns.server.store.GroupTable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What replicas show of changes that two of them have to have. */
@Tag("server")
class UnconfirmedChangesTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final Duration AT_ONCE = Duration.ofMillis(100);
  private static final List<String> FIVE = IntStream.range(0, 5).mapToObj(i -> "http://s" + i).toList();

  private final Target entry = Target.of("/unconfirmed-" + System.nanoTime());
  private Database database;
  private LocalNameService primary;
  private LocalNameService replica;

  @BeforeEach
  void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    database.migrate();
    primary = opened();
    replica = opened();
  }

  private LocalNameService opened() {
    return LocalNameService.open(database, 1 << 20, TestServices.IN_GROUP, InstantSource.system());
  }

  @AfterEach
  void close() {
    primary.close();
    replica.close();
    execute("DELETE FROM group_member");
    assertThat(database.connectionsInUse()).isZero();
    database.close();
  }

  private void execute(String sql) {
    int unused = database.write(connection -> {
      int rows = connection.createStatement().executeUpdate(sql);
      connection.commit();
      return rows;
    });
  }

  private Position added(CommitWait wait) {
    var unused = primary.lead(0, FIVE, wait, last -> true);
    Answer<List<Outcome<Entry>>> answer =
        primary.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(entry)));
    assertThat(answer.value().getFirst()).isInstanceOf(Outcome.Done.class);
    return primary.position();
  }

  private Outcome<Entry> found() {
    return replica.query(CallContext.ANONYMOUS, QueryRequest.of(entry)).value().getFirst();
  }

  /** It may be at this replica only, and be lost with it. */
  @Test
  void aReplicaShowsAChangeOnceItIsConfirmed() {
    Positions change = Positions.of(added(new CommitWait(2, 2)));
    primary.close();
    execute("UPDATE server_group SET confirmed = last_sequence - 1");
    replica.close();
    replica = opened();
    replica.follow();
    assertThat(replica.awaitServed(change, AT_ONCE)).isFalse();
    assertThatThrownBy(this::found).isInstanceOfSatisfying(
        RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
    execute("UPDATE server_group SET confirmed = last_sequence");
    assertThat(replica.awaitServed(change, BOUND)).isTrue();
    assertThat(found()).isInstanceOf(Outcome.Done.class);
  }

  @Test
  void aBeatConfirmsTheLastChange() throws Exception {
    replica.follow();
    Position change = added(new CommitWait(2, 2));
    assertThat(replica.awaitServed(Positions.of(change), BOUND)).isTrue();
    Eventually.until("it is confirmed", BOUND,
        () -> database.read(GroupTable::find).confirmed() == change.sequence());
    assertThat(found()).isInstanceOf(Outcome.Done.class);
  }

  @Test
  void whatOneReplicaHasIsConfirmedWhereOneSuffices() {
    Position unused = added(CommitWait.FOR_ONE);
    assertThat(database.read(GroupTable::find).confirmed()).isEqualTo(GroupTable.ALL);
  }

  @Test
  void withFewerMembersOneSuffices() {
    Position unused = added(new CommitWait(2, 2));
    MemberList fewer = primary.replaceMembers(primary.position().epoch(), FIVE.subList(0, 4), 2);
    assertThat(fewer.acknowledgements()).isEqualTo(1);
    var unusedAnswer =
        primary.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of(entry.path() + "-2"))));
    assertThat(database.read(GroupTable::find).confirmed()).isEqualTo(GroupTable.ALL);
    assertThat(primary.replaceMembers(primary.position().epoch(), FIVE, 2).acknowledgements()).isEqualTo(2);
  }

  /** A primary that led again meanwhile may wait for fewer replicas than when the change began. */
  @Test
  void aChangeOfTheMembersDoesNotGoOnInALaterEpoch() {
    Position unused = added(new CommitWait(2, 2));
    int earlier = primary.position().epoch() - 1;
    assertThatThrownBy(() -> primary.replaceMembers(earlier, FIVE, 2)).hasMessageContaining("has changed");
  }
}
