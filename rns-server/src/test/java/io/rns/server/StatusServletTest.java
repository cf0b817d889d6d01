package io.rns.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.rns.api.Position;
import io.rns.replication.DatabaseReport;
import io.rns.replication.Lag;
import io.rns.replication.MemberReport;
import io.rns.replication.Offer;
import io.rns.replication.Role;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class StatusServletTest {
  private static JsonNode told(boolean writable, OptionalInt acknowledging) {
    return StatusDocument.database(
        new DatabaseReport("h:3306", writable, Optional.empty(), false, false, "", acknowledging, Optional.empty()),
        true);
  }

  @Test
  void thatNoReplicaAcknowledgesDiffersFromThatNoneHasTo() {
    assertThat(told(true, OptionalInt.of(0)).toString()).contains("\"acknowledging\":0,\"durability\":\"replicated\"");
    assertThat(told(true, OptionalInt.empty()).toString()).contains("\"acknowledging\":null,\"durability\":\"local\"");
    assertThat(told(false, OptionalInt.empty()).toString()).contains("\"acknowledging\":null,\"durability\":null");
  }

  @Test
  void onlyOperatorsSeeDatabasesAndTroubles() {
    DatabaseReport database =
        new DatabaseReport(
            "db.inside:3306", false, Optional.of("other.inside:3306"), true, true, "gtids", OptionalInt.empty(),
            Optional.of("error 1236"));
    MemberReport report =
        new MemberReport(
            "server-1", "http://public/rns", Role.REPLICA, Optional.of(new Position(0, 1, 2)), Lag.NONE, 0,
            "cannot reach db.inside:3306 as rns_control", Optional.of(database), List.of("http://public/rns"),
            Offer.NONE);
    StatusDocument operator = new StatusDocument(true, "http://public/soap", "http://public/names");
    operator.add(report);
    assertThat(operator.json().toString()).contains("db.inside:3306", "other.inside:3306", "error 1236", "rns_control",
        "0-1-2");
    StatusDocument anybody = new StatusDocument(false, "http://public/soap", "http://public/names");
    anybody.add(report);
    anybody.add("server-2", "http://public2/rns", "starting", "waiting for jdbc:mysql://db.inside/rns");
    assertThat(anybody.json().toString())
        .contains("server-1", "http://public/rns", "0-1-2", "replica", "not serving", "\"receiving\":true")
        .doesNotContain("inside", "1236", "rns_control", "gtids");
  }
}
