package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RequestId;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.client.watch.ChangeStream;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./rns up --replicas} on the data of a single server, whose database has no binary log. */
@Tag("slow")
@Tag("long")
class SingleBecomesGroupIT {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final int ENTRIES = 1_000;
  private static final CallContext ONCE =
      CallContext.ANONYMOUS.with(new RequestId("00000000-0000-0000-0000-000000000001"));

  @TempDir private Path temporary;
  private final List<String> progress = new CopyOnWriteArrayList<>();

  @Test
  void aGroupGoesOnWithAllThatACrashedSingleServerHad() throws Exception {
    Position begun;
    Entry once;
    List<Entry> before;
    Path data = temporary.resolve("data");
    LocalService.Settings single =
        new LocalService.Settings(data, 0, "256m", "64M", LocalInstallation.find().war(), null);
    try (LocalService service = LocalService.start(single, progress::add);
        NameService names = client(service.url())) {
      Answer<List<Outcome<Entry>>> first = names.add(ONCE, AddRequest.of(NewEntry.directory(Target.of("/once"))));
      begun = first.position();
      once = first.value().getFirst().orThrow();
      names.add(CallContext.ANONYMOUS, additions()).value().forEach(Outcome::orThrow);
      before = entries(names, CallContext.ANONYMOUS);
    }
    crash(data);

    LocalGroup.Settings settings =
        new LocalGroup.Settings(data, GroupPorts.ANY, 1, 1, "256m", "64M", single.war(), null, LocalDatabases.EMBEDDED);
    LocalGroup group = LocalGroup.start(settings, progress::add);
    try (NameService primary = client(group.members().get(0).url());
        NameService replica = client(group.members().get(1).url());
        ChangeStream stream = changes(group.members().get(1).url(), begun)) {
      assertThat(entries(primary, CallContext.ANONYMOUS)).isEqualTo(before);
      // A write needs the replica's acknowledgement.
      Answer<List<Outcome<Entry>>> later =
          primary.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of("/later"))));
      assertThat(later.position().epoch()).isGreaterThan(begun.epoch());
      assertThat(later.value().getFirst().orThrow().id().value())
          .isGreaterThan(before.getLast().id().value());
      assertThat(entries(replica, CallContext.ANONYMOUS.withSeen(later.position()))).isEqualTo(before);
      assertThat(replica.add(ONCE, AddRequest.of(NewEntry.directory(Target.of("/once")))).value().getFirst().orThrow())
          .as("the first response").isEqualTo(once);
      for (int i = 0; i < ENTRIES; i++) {
        assertThat(stream.next(BOUND).orElseThrow().path()).isEqualTo(path(i));
      }
      assertThat(stream.next(BOUND).orElseThrow().path()).isEqualTo(RnsPath.parse("/later"));
      assertThat(data.resolve("database")).doesNotExist();
    } finally {
      group.close();
    }
    assertThatThrownBy(() -> LocalService.start(single, progress::add))
        .hasMessageContaining("has the data of a group of servers; start it with: ./rns up --replicas 1 --data");
  }

  /** A power failure right after a commit, as the last thing that the single server's database sees. */
  private static void crash(Path data) throws SQLException {
    DatabaseProcess.Settings settings =
        DatabaseProcess.Settings.in(data.resolve("database")).withPassword(new DataDirectory(data).password())
            .withBufferPool("64M");
    try (DatabaseProcess database = DatabaseProcess.start(settings);
        Connection connection = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE server_group SET beat_at = beat_at + 1");
      statement.execute("START TRANSACTION");
      statement.execute("DELETE FROM request_log");
      database.kill();
    }
  }

  private static AddRequest additions() {
    List<NewEntry> entries = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      entries.add(NewEntry.directory(Target.of(path(i).toString())));
    }
    return new AddRequest(entries, false, false);
  }

  private static RnsPath path(int number) {
    return RnsPath.parse("/entry-" + number);
  }

  private static List<Entry> entries(NameService names, CallContext call) {
    List<Target> targets = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      targets.add(Target.of(path(i).toString()));
    }
    return names.query(call, new QueryRequest(targets, false)).value().stream().map(Outcome::orThrow).toList();
  }

  private static NameService client(String url) {
    return RnsClient.builder().server(URI.create(url)).attempts(100).deadline(BOUND).build();
  }

  private static ChangeStream changes(String url, Position from) {
    return ChangeStream.of(URI.create(url)).from(from).open();
  }
}
