package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.client.http.TlsTrust;
import io.rns.client.operator.SignedCalls;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The supervisor of a group within this JVM, real processes below it, and a WAR that only says that it is a member. */
@Tag("slow")
class LocalGroupStartIT {
  private static final List<String> PROGRESS = new CopyOnWriteArrayList<>();

  @TempDir private static Path temporary;
  private static Path war;
  private static LocalGroup group;

  @BeforeAll
  static void start() throws IOException {
    war = TestWar.write(temporary.resolve("answer.war"), "hello");
    group = LocalGroup.start(settings("group", 1), PROGRESS::add);
  }

  @AfterAll
  static void stopsAllOfIt() {
    RunState state = state();
    group.close();
    assertThat(state.processes()).extracting(ProcessIdentity::name)
        .containsExactly(
            "supervisor", "the database of server-1", "the database of server-2", "GlassFish of server-1",
            "GlassFish of server-2");
    assertThat(state.processes()).filteredOn(ProcessIdentity::isAlive).extracting(ProcessIdentity::name)
        .containsExactly("supervisor");
    assertThat(temporary.resolve("group/run.json")).doesNotExist();
    assertThat(group.awaitEnd()).isEqualTo("stopped");
  }

  @Test
  void writesDownWhereAllMembersAre() {
    RunState state = state();
    MemberProcesses first = group.members().get(0);
    assertThat(state.ready()).isTrue();
    assertThat(state.url()).isEqualTo(group.url()).isEqualTo(first.url());
    assertThat(state.members()).extracting(RunState.Member::name).containsExactly("server-1", "server-2");
    RunState.Member second = state.members().get(1);
    MemberProcesses running = group.members().get(1);
    assertThat(second.url()).isEqualTo(running.url());
    assertThat(second.soap()).isEqualTo(running.url() + "/services/rns");
    assertThat(second.jdbcUrl()).isEqualTo(running.database().jdbcUrl()).isNotEqualTo(first.database().jdbcUrl());
    assertThat(second.databaseAddress()).isEqualTo("127.0.0.1:" + running.database().port());
    assertThat(second.controlUser()).isEqualTo(running.database().controlUser());
    assertThat(second.controlPassword()).hasSize(24).isEqualTo(state.members().get(0).controlPassword());
    assertThat(second.databasePid()).isEqualTo(running.database().identity().pid());
    assertThat(second.glassFishPid()).isEqualTo(running.glassFish().identity().pid());
  }

  @Test
  void tellsEveryServerOfItsGroupAndMakesOneThePrimary() throws Exception {
    JsonNode first = member(1);
    JsonNode second = member(2);
    assertThat(first.path("role").asText()).isEqualTo("PRIMARY");
    assertThat(second.path("role").asText()).isEqualTo("REPLICA");
    assertThat(second.path("RNS_TOPOLOGY").asText()).isEqualTo("source-replica");
    assertThat(second.path("RNS_SERVER_NAME").asText()).isEqualTo("server-2");
    assertThat(second.path("RNS_SERVER_URL").asText()).isEqualTo(group.members().get(1).url());
    assertThat(second.path("RNS_GROUP_SERVERS").asText())
        .isEqualTo(group.members().get(0).url() + "," + group.members().get(1).url());
    assertThat(second.path("RNS_DB_ADDRESS").asText()).isEqualTo(state().members().get(1).databaseAddress());
    assertThat(second.path("RNS_DB_CONTROL_USER").asText()).isEqualTo(state().members().get(1).controlUser());
    assertThat(second.path("RNS_DB_CONTROL_PASSWORD").asText()).isEqualTo(state().members().get(1).controlPassword());
  }

  @Test
  void startsPartsOfAMemberAgain() throws Exception {
    MemberProcesses second = group.members().get(1);
    ProcessIdentity server = second.glassFish().identity();
    ProcessIdentity database = second.database().identity();
    String url = second.url();
    second.glassFish().kill();
    second.database().kill();
    Eventually.holds("GlassFish is back", () -> PROGRESS.contains("server-2: GlassFish is back"));
    Eventually.holds("the database is back", () -> PROGRESS.contains("server-2: the database is back"));
    assertThat(second.url()).isEqualTo(url);
    assertThat(member(2).path("role").asText()).isEqualTo("REPLICA");
    assertThat(second.glassFish().identity()).isNotEqualTo(server);
    assertThat(second.database().identity()).isNotEqualTo(database);
    assertThat(state().processes()).hasSize(5).allMatch(ProcessIdentity::isAlive);
    assertThat(state().ready()).isTrue();
  }

  @Test
  void refusesDataOfOtherServers() {
    assertThatThrownBy(() -> LocalGroup.start(settings("group", 1), PROGRESS::add))
        .hasMessageContaining("a service is already running on")
        .hasMessageContaining(group.url());
    DataDirectory other = DataDirectory.create(temporary.resolve("other"));
    other.requireGroups(1, 2, LocalDatabases.EMBEDDED);
    assertThatThrownBy(() -> LocalGroup.start(settings("other", 1), PROGRESS::add))
        .isInstanceOf(LocalServiceException.class)
        .hasMessage(
            other.root()
                + " has the data of a group with 2 replicas, not 1; start it with: ./rns up --replicas 2 --data "
                + other.root());
    assertThatThrownBy(
        () -> LocalService.start(new LocalService.Settings(other.root(), 0, "256m", "64M", war, null), PROGRESS::add))
        .isInstanceOf(LocalServiceException.class)
        .hasMessageContaining("has the data of a group");
    assertThat(other.root().resolve("run.json")).doesNotExist();
  }

  private static LocalGroup.Settings settings(String name, int replicas) {
    return new LocalGroup.Settings(temporary.resolve(name), GroupPorts.ANY, 1, replicas, "256m", "64M", war, null,
        LocalDatabases.EMBEDDED);
  }

  private static RunState state() {
    return RunState.read(temporary.resolve("group/run.json")).orElseThrow();
  }

  private static JsonNode member(int number) throws IOException, InterruptedException {
    URI url = URI.create(group.members().get(number - 1).url());
    Duration most = Duration.ofSeconds(20);
    try (SignedCalls calls =
        new SignedCalls(most, TlsTrust.SYSTEM, group.secret(), InstantSource.system(), PROGRESS::add)) {
      return new ObjectMapper().readTree(calls.ask("GET", url, "/group/member", most).body());
    }
  }
}
