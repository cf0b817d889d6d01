package io.rns.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.replication.DatabaseReport;
import io.rns.replication.MemberReport;
import java.util.Locale;

/**
 * The document of {@code /status}. Operators get all of it. Anybody else gets no address of a database and no text of
 * an error, which may have one: the addresses of servers are public, what is behind them is not.
 */
final class StatusDocument {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SERVING = "serving";

  private final boolean operator;
  private final ObjectNode document = JSON.createObjectNode();
  private final ArrayNode servers;

  /**
   * A document without servers.
   *
   * @param operator whether it is for an operator
   */
  StatusDocument(boolean operator, String soap, String rest) {
    this.operator = operator;
    document.put("soap", soap).put("rest", rest).put("version", ServerVersion.TEXT);
    servers = document.putArray("servers");
  }

  ObjectNode json() {
    return document;
  }

  /** Adds a server that is reached. */
  ObjectNode add(MemberReport report) {
    ObjectNode server =
        add(report.name(), report.url(), report.role().name().toLowerCase(Locale.ROOT), report.reason());
    report.position().ifPresent(
        position -> server
            .put("group", position.group())
            .put("position", position.toString())
            .put("lagMillis", report.lag().p50Millis()));
    server.putPOJO("lag", report.lag());
    server.put("ageMillis", report.ageMillis());
    report.database().ifPresent(database -> server.set("database", database(database, operator)));
    return server;
  }

  /**
   * Adds a server.
   *
   * @param trouble why it does not serve; empty if it does
   */
  ObjectNode add(String name, String url, String role, String trouble) {
    String said = operator ? trouble : "not serving";
    return servers
        .addObject()
        .put("name", name)
        .put("url", url)
        .put("role", role)
        .putNull("group")
        .putNull("position")
        .putNull("lagMillis")
        .put("state", trouble.isEmpty() ? SERVING : said);
  }

  /** A database, for an operator with its addresses and its trouble. */
  static ObjectNode database(DatabaseReport database, boolean operator) {
    ObjectNode node = JSON.createObjectNode();
    boolean counts = database.acknowledging().isPresent();
    if (operator) {
      node.put("address", database.address());
      node.put("source", database.source().orElse(null));
      node.put("trouble", database.trouble().orElse(null));
    }
    node.put("writable", database.writable());
    node.put("receiving", database.receiving());
    node.put("acknowledging", counts ? database.acknowledging().getAsInt() : null);
    node.put("durability", !database.writable() ? null : counts ? "replicated" : "local");
    return node;
  }
}
