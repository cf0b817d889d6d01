package io.rns.server.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Position;
import io.rns.referral.Site;
import io.rns.replication.Allegiance;
import io.rns.replication.DatabaseReport;
import io.rns.replication.Lag;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import io.rns.replication.Offer;
import io.rns.replication.Role;
import io.rns.server.http.ServerJson;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReportJsonTest {
  private static MemberReport report(Optional<Position> position, Optional<DatabaseReport> database) {
    return new MemberReport(
        "n", "http://h/rns", Role.REPLICA, position, new Lag(3, 4, 50), 6, "why", database,
        List.of("http://h/rns", "http://i/rns"),
        new MemberList(2, 7, List.of(new MemberList.Member("http://h/rns", 1_000)), 2),
        new Allegiance(5, 4, 3, 1, 4, 2, true, 300, 200),
        new Offer(new Site("eu"), 7, 30), "");
  }

  private static String json(MemberReport report) throws IOException {
    return ServerJson.MAPPER.writeValueAsString(ReportJson.of(report));
  }

  @Test
  void reportsAreWrittenAsEver() throws IOException {
    DatabaseReport primary =
        new DatabaseReport("d:1", true, Optional.empty(), false, true, "gtids", OptionalInt.of(2), Optional.empty());
    assertThat(json(report(Optional.of(new Position(0, 2, 9)), Optional.of(primary))))
        .isEqualTo(
            "{\"name\":\"n\",\"url\":\"http://h/rns\",\"role\":\"REPLICA\",\"epoch\":2,\"position\":\"0-2-9\","
                + "\"lagMillis\":4,\"lag\":{\"p50Millis\":4,\"p99Millis\":50,\"samples\":3},\"ageMillis\":6,"
                + "\"state\":\"why\",\"database\":{\"address\":\"d:1\",\"writable\":true,\"source\":null,"
                + "\"receiving\":false,\"applying\":true,\"transactions\":\"gtids\",\"acknowledging\":2,"
                + "\"trouble\":null},\"members\":[\"http://h/rns\",\"http://i/rns\"],"
                + "\"list\":{\"epoch\":2,\"version\":7,"
                + "\"members\":[{\"url\":\"http://h/rns\",\"sinceMillis\":1000}],\"acknowledgements\":2},"
                + "\"allegiance\":{\"promised\":5,\"accepted\":4,\"cutOff\":3,\"led\":1,\"chosen\":4,\"forced\":2,"
                + "\"vouches\":true,\"silentMillis\":300,\"quietMillis\":200},"
                + "\"offer\":{\"site\":\"eu\",\"capacity\":7,\"load\":30,\"draining\":false}}");
    DatabaseReport replica =
        new DatabaseReport(
            "d:1", false, Optional.of("s:2"), true, false, "", OptionalInt.empty(), Optional.of("error 1"));
    assertThat(json(report(Optional.empty(), Optional.of(replica))))
        .contains(
            "\"epoch\":0,\"position\":null",
            "\"source\":\"s:2\",\"receiving\":true,\"applying\":false,\"transactions\":\"\",\"trouble\":\"error 1\"}");
    assertThat(json(report(Optional.empty(), Optional.empty()))).contains("\"state\":\"why\",\"members\"");
  }

  @Test
  void theAccessModeIsReportedUnlessAnEarlierVersionDoes() throws IOException {
    String earlier = json(report(Optional.empty(), Optional.empty()));
    String later = json(report(Optional.empty(), Optional.empty()).withAccess("log"));
    assertThat(later).isEqualTo(earlier.substring(0, earlier.length() - 1) + ",\"access\":\"log\"}");
    assertThat(ServerJson.MAPPER.readValue(later, ReportJson.class).report().access()).isEqualTo("log");
    assertThat(ServerJson.MAPPER.readValue(earlier, ReportJson.class).report().access()).isEmpty();
  }

  @Test
  void aMemberOfAnEarlierVersionDoesNotDrain() throws IOException {
    MemberReport report = report(Optional.empty(), Optional.empty());
    String later = json(report.with(report.offer().draining(true)));
    assertThat(ServerJson.MAPPER.readValue(later, ReportJson.class).report().offer().draining()).isTrue();
    String earlier = later.replace(",\"draining\":true", "");
    assertThat(ServerJson.MAPPER.readValue(earlier, ReportJson.class).report().offer()).isEqualTo(report.offer());
  }

  @Test
  void aMemberOfAnEarlierVersionWasChosenWhereItLed() throws IOException {
    MemberReport report = report(Optional.empty(), Optional.empty());
    String later = json(report);
    assertThat(ServerJson.MAPPER.readValue(later, ReportJson.class).report()).isEqualTo(report);
    String earlier = later.replace("\"chosen\":4,", "");
    assertThat(earlier).isNotEqualTo(later);
    assertThat(ServerJson.MAPPER.readValue(earlier, ReportJson.class).report().allegiance().chosen()).isEqualTo(1);
  }

  @Test
  void serversWhoseAccessDiffersAreNamed() {
    SortedMap<String, String> modes = new TreeMap<>(Map.of("server-1", "closed", "server-2", "closed"));
    assertThat(AccessModes.difference(modes)).isEmpty();
    modes.put("server-2", "log");
    assertThat(AccessModes.difference(modes)).contains("server-1 closed, server-2 log");
  }
}
