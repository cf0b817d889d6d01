package io.rns.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.rns.api.Position;
import io.rns.replication.Allegiance;
import io.rns.replication.DatabaseReport;
import io.rns.replication.Lag;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import io.rns.replication.Offer;
import io.rns.replication.Role;
import io.rns.server.StatusDocument.Server;
import io.rns.server.http.ServerJson;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class StatusServletTest {
  private static String told(boolean writable, OptionalInt acknowledging) throws JsonProcessingException {
    return json(
        StatusDocument.database(
            new DatabaseReport("h:3306", writable, Optional.empty(), false, false, "", acknowledging, Optional.empty()),
            true));
  }

  private static String json(Object document) throws JsonProcessingException {
    return ServerJson.MAPPER.writeValueAsString(document);
  }

  @Test
  void thatNoReplicaAcknowledgesDiffersFromThatNoneHasTo() throws JsonProcessingException {
    assertThat(told(true, OptionalInt.of(0))).contains("\"acknowledging\":0,\"durability\":\"replicated\"");
    assertThat(told(true, OptionalInt.empty())).contains("\"acknowledging\":null,\"durability\":\"local\"");
    assertThat(told(false, OptionalInt.empty())).contains("\"acknowledging\":null,\"durability\":null");
  }

  @Test
  void onlyOperatorsSeeDatabasesAndTroubles() throws JsonProcessingException {
    DatabaseReport database =
        new DatabaseReport(
            "db.inside:3306", false, Optional.of("other.inside:3306"), true, true, "gtids", OptionalInt.empty(),
            Optional.of("error 1236"));
    MemberReport report =
        new MemberReport(
            "server-1", "http://public/rns", Role.REPLICA, Optional.of(new Position(0, 1, 2)), Lag.NONE, 0,
            "cannot reach db.inside:3306 as rns_control", Optional.of(database), List.of("http://public/rns"),
            MemberList.NONE, Allegiance.NONE,
            Offer.NONE, "");
    assertThat(json(Server.of(report, true))).contains("db.inside:3306", "other.inside:3306", "error 1236",
        "rns_control",
        "0-1-2");
    Server starting =
        Server.of("server-2", "http://public2/rns", "starting", "waiting for jdbc:mysql://db.inside/rns", false);
    StatusDocument anybody =
        new StatusDocument(
            "http://public/soap", "http://public/names", List.of(Server.of(report, false), starting),
            StatusDocument.Failover.of(Optional.of("server-2"), Optional.of("10.0.0.7:inside lacks 0-1-2"), false),
            Optional.of(
                StatusDocument.Certificate.of(
                    new ListenerCertificate(Instant.EPOCH, "/inside/server.pem does not fit"), false)),
            Optional.empty());
    assertThat(json(anybody))
        .contains("server-1", "http://public/rns", "0-1-2", "replica", "not serving", "\"receiving\":true",
            "1970-01-01T00:00:00Z", "not shown")
        .doesNotContain("inside", "1236", "rns_control", "gtids");
  }

  @Test
  void theDocumentStaysAsItIs() throws JsonProcessingException {
    DatabaseReport database =
        new DatabaseReport(
            "d:1", false, Optional.of("s:2"), true, false, "gtids", OptionalInt.empty(), Optional.empty());
    MemberReport one =
        new MemberReport(
            "server-1", "http://public/rns", Role.REPLICA, Optional.of(new Position(0, 1, 2)), new Lag(3, 4, 50), 6, "",
            Optional.of(database), List.of(), MemberList.NONE, Allegiance.NONE, Offer.NONE, "");
    MemberReport two =
        new MemberReport(
            "server-2", "http://b/rns", Role.STARTING, Optional.empty(), Lag.NONE, 0, "starting", Optional.empty(),
            List.of(), MemberList.NONE, Allegiance.NONE, Offer.NONE, "");
    Server three = Server.of("server-3", "http://c/rns", "unreachable", "it does not answer", true);
    StatusDocument status =
        new StatusDocument(
            "http://public/soap",
            "http://public/names",
            List.of(Server.of(one, true), Server.of(two, true), three),
            StatusDocument.Failover.of(Optional.of("server-1"), Optional.of("it waits"), true),
            Optional.empty(), Optional.empty());
    assertThat(json(status))
        .isEqualTo(
            "{\"soap\":\"http://public/soap\",\"rest\":\"http://public/names\",\"version\":\"" + ServerVersion.TEXT
                + "\",\"servers\":[{\"name\":\"server-1\",\"url\":\"http://public/rns\",\"role\":\"replica\","
                + "\"group\":0,\"position\":\"0-1-2\",\"lagMillis\":4,\"state\":\"serving\","
                + "\"lag\":{\"samples\":3,\"p50Millis\":4,\"p99Millis\":50},\"ageMillis\":6,\"term\":0,\"vouches\":true,"
                + "\"database\":{\"address\":\"d:1\",\"source\":\"s:2\",\"trouble\":null,\"writable\":false,"
                + "\"receiving\":true,\"acknowledging\":null,\"durability\":null}},"
                + "{\"name\":\"server-2\",\"url\":\"http://b/rns\",\"role\":\"starting\",\"group\":null,"
                + "\"position\":null,\"lagMillis\":null,\"state\":\"starting\","
                + "\"lag\":{\"samples\":0,\"p50Millis\":0,\"p99Millis\":0},\"ageMillis\":0,\"term\":0,\"vouches\":true},"
                + "{\"name\":\"server-3\",\"url\":\"http://c/rns\",\"role\":\"unreachable\",\"group\":null,"
                + "\"position\":null,\"lagMillis\":null,\"state\":\"it does not answer\"}],"
                + "\"failover\":{\"next\":\"server-1\",\"waits\":\"it waits\"}}");
  }
}
