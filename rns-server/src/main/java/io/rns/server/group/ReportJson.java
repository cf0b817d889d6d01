package io.rns.server.group;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.api.Position;
import io.rns.referral.Site;
import io.rns.replication.DatabaseReport;
import io.rns.replication.Lag;
import io.rns.replication.MemberReport;
import io.rns.replication.Offer;
import io.rns.replication.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reports of members as JSON. */
final class ReportJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ReportJson() {}

  static ObjectNode write(MemberReport report) {
    ObjectNode node = JSON.createObjectNode();
    node.put("name", report.name());
    node.put("url", report.url());
    node.put("role", report.role().name());
    node.put("epoch", report.epoch());
    node.put("position", report.position().map(Position::toString).orElse(null));
    node.put("lagMillis", report.lag().p50Millis());
    lag(node.putObject("lag"), report.lag());
    node.put("ageMillis", report.ageMillis());
    node.put("state", report.reason());
    report.database().ifPresent(database -> write(node.putObject("database"), database));
    ArrayNode members = node.putArray("members");
    report.members().forEach(members::add);
    Offer offer = report.offer();
    node.putObject("offer").put("site", offer.site().text()).put("capacity", offer.capacity()).put("load",
        offer.load());
    return node;
  }

  static void lag(ObjectNode node, Lag lag) {
    node.put("p50Millis", lag.p50Millis()).put("p99Millis", lag.p99Millis()).put("samples", lag.samples());
  }

  private static void write(ObjectNode node, DatabaseReport database) {
    node.put("address", database.address());
    node.put("writable", database.writable());
    node.put("source", database.source().orElse(null));
    node.put("receiving", database.receiving());
    node.put("applying", database.applying());
    node.put("transactions", database.transactions());
    database.acknowledging().ifPresent(replicas -> node.put("acknowledging", replicas));
    node.put("trouble", database.trouble().orElse(null));
  }

  /** Reads what {@link #write} has written; missing fields are empty. */
  static MemberReport read(JsonNode node) {
    List<String> members = new ArrayList<>();
    node.path("members").forEach(member -> members.add(member.asText()));
    JsonNode lag = node.path("lag");
    return new MemberReport(
        node.path("name").asText(),
        node.path("url").asText(),
        Role.valueOf(node.path("role").asText(Role.STARTING.name())),
        text(node, "position").map(Position::parse),
        new Lag(lag.path("samples").asInt(), lag.path("p50Millis").asLong(), lag.path("p99Millis").asLong()),
        node.path("ageMillis").asLong(),
        node.path("state").asText(),
        node.has("database") ? Optional.of(database(node.path("database"))) : Optional.empty(),
        members,
        offer(node.path("offer")));
  }

  private static Offer offer(JsonNode node) {
    return new Offer(new Site(node.path("site").asText()), node.path("capacity").asLong(1), node.path("load").asInt());
  }

  private static DatabaseReport database(JsonNode node) {
    return new DatabaseReport(
        node.path("address").asText(),
        node.path("writable").asBoolean(),
        text(node, "source"),
        node.path("receiving").asBoolean(),
        node.path("applying").asBoolean(),
        node.path("transactions").asText(),
        node.has("acknowledging") ? OptionalInt.of(node.path("acknowledging").asInt()) : OptionalInt.empty(),
        text(node, "trouble"));
  }

  private static Optional<String> text(JsonNode node, String name) {
    JsonNode value = node.path(name);
    return value.isTextual() ? Optional.of(value.asText()) : Optional.empty();
  }
}
