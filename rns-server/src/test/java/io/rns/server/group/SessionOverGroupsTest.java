package io.rns.server.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.client.http.MessageAuthentication;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.QueryRequest;
import io.rns.api.Refused;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.client.RnsConnection;
import io.rns.client.http.TlsTrust;
import io.rns.error.RnsError;
import io.rns.local.DatabaseProcess;
import io.rns.replication.CurrentRole;
import io.rns.replication.Forwarding;
import io.rns.replication.Role;
import io.rns.replication.RoleState;
import io.rns.replication.RoutingNameService;
import io.rns.server.TestDatabase;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.soap.SoapHttpServer;
import io.rns.server.store.Database;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One session over two server groups, each with a database and two servers: a primary, and a replica that follows no
 * changes, so that it goes on missing what it has missed. Only if it is sent the position of its own group, it has the
 * primary answer.
 */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionOverGroupsTest {
  private static final long CACHE_BYTES = 1 << 20;

  @TempDir private Path directory;

  private Group low;
  private Group high;

  /** A server group with a number. */
  private static final class Group implements AutoCloseable {
    private final DatabaseProcess process;
    private final Database database;
    private final LocalNameService primary;
    private final SoapHttpServer atPrimary;
    private final LocalNameService stale;
    private final RoutingNameService routing;
    private final SoapHttpServer atReplica;
    private final RnsConnection writer;
    private final RnsConnection reader;

    Group(Path directory, int number) {
      process = TestDatabase.own(directory);
      database = new Database(TestDatabase.settings(process, number));
      database.migrate();
      primary = LocalNameService.start(database, CACHE_BYTES, TestGroup.WRITER, InstantSource.system());
      atPrimary = new SoapHttpServer(primary);
      stale = LocalNameService.open(database, CACHE_BYTES, TestGroup.WRITER, InstantSource.system());
      routing =
          new RoutingNameService(
              new CurrentRole(
                  new RoleState(
                      Role.REPLICA, Optional.of(stale), Optional.of(atPrimary.address().toString()), "")),
              new Forwarding(MessageAuthentication.NONE, Duration.ofSeconds(15), TlsTrust.SYSTEM, bytes -> {}),
              Duration.ofSeconds(15));
      atReplica = new SoapHttpServer(routing);
      writer = RnsClient.builder().server(atPrimary.address()).closeWait(Duration.ZERO).build();
      reader = RnsClient.builder().server(atReplica.address()).closeWait(Duration.ZERO).build();
    }

    /** Writes as a session that has seen positions; returns what it has seen then. */
    Positions write(Positions seen, String path) {
      writer.seen(seen);
      Answer<List<Outcome<Entry>>> answer =
          writer.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of(path))));
      assertThat(answer.value()).first().isInstanceOf(Outcome.Done.class);
      return writer.positions();
    }

    /** Has the replica remember that a path is missing. */
    void lookUpEarly(String path) {
      assertThat(has(stale, path)).isFalse();
    }

    boolean replicaHas(Positions seen, String path) {
      reader.seen(seen);
      return has(reader, path);
    }

    private static boolean has(NameService service, String path) {
      return service.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of(path))).value()
          .getFirst() instanceof Outcome.Done<Entry>;
    }

    @Override
    public void close() {
      reader.close();
      writer.close();
      atReplica.close();
      routing.close();
      stale.close();
      atPrimary.close();
      primary.close();
      database.close();
      process.close();
    }
  }

  @BeforeEach
  void start() {
    low = new Group(directory.resolve("low"), 3);
    high = new Group(directory.resolve("high"), 32_767);
  }

  @AfterEach
  void stop() {
    high.close();
    low.close();
  }

  @Test
  void aSessionThatAlternatesReadsItsOwnWritesInBothGroups() {
    Positions session = Positions.NONE;
    for (int round = 0; round < 3; round++) {
      String path = "/round-" + round;
      low.lookUpEarly(path);
      high.lookUpEarly(path);
      session = low.write(session, path);
      session = high.write(session, path);
      assertThat(session.each()).extracting(Position::group).containsExactly(3, 32_767);
      assertThat(low.replicaHas(session, path)).isTrue();
      assertThat(high.replicaHas(session, path)).isTrue();
    }
    assertThat(Group.has(low.stale, "/round-0")).as("the replica still misses it").isFalse();
  }

  @Test
  void aReplicaAnswersASessionThatHasSeenNothingOfItsGroup() {
    Positions seen = low.write(Positions.NONE, "/low");
    high.lookUpEarly("/high");
    high.primary.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of("/high"))));
    assertThat(high.replicaHas(seen, "/high")).isFalse();
  }

  @Test
  void idsAndPositionsHaveTheNumberOfTheGroup() {
    Answer<List<Outcome<Entry>>> added =
        low.primary.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of("/a"))));
    assertThat(added.position().group()).isEqualTo(3);
    Outcome<Entry> first = added.value().getFirst();
    assertThat(((VirtualDirectory) ((Outcome.Done<Entry>) first).value()).id()).hasToString("0003000000000002");
  }

  @Test
  void theGroupOfADatabaseIsFixed() {
    low.write(Positions.NONE, "/a");
    try (Database other = new Database(TestDatabase.settings(low.process, 4))) {
      Refused.with(RnsError.INVALID_REQUEST, other::migrate, "server group 3", "RNS_GROUP is 4");
      Refused.with(
          RnsError.INVALID_REQUEST,
          () -> LocalNameService.open(other, CACHE_BYTES, TestGroup.WRITER, InstantSource.system()), "server group 3",
          "RNS_GROUP is 4");
    }
    assertThat(low.replicaHas(low.writer.positions(), "/a")).isTrue();
  }
}
