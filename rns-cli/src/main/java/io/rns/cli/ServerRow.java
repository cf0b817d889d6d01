package io.rns.cli;

import java.util.List;
import java.util.Map;

/** One server as a line of {@code status}. */
final class ServerRow {
  static final List<String> TITLES =
      List.of("SERVER", "ROLE", "GROUP", "TERM", "POSITION", "LAG P50/P99", "REPLICATION", "ADDRESS", "STATE");
  static final String SERVING = "serving";
  private static final String NONE = "-";

  /** A failover that needs it as well as a lost primary is refused. */
  private static final String CATCHING_UP = "; catching up, a failover cannot rely on it yet";

  private ServerRow() {}

  static List<String> of(Map<String, String> server) {
    // One that is outside follows nobody, so it does not catch up either.
    boolean catchesUp =
        server.getOrDefault("vouches", "true").equals("false") && server.getOrDefault("role", "").equals("replica");
    String state = server.getOrDefault("state", SERVING) + (catchesUp ? CATCHING_UP : "");
    String trouble = server.getOrDefault("database.trouble", "");
    return List.of(
        server.getOrDefault("name", NONE),
        server.getOrDefault("role", NONE),
        server.getOrDefault("group", NONE),
        term(server),
        server.getOrDefault("position", NONE),
        lag(server),
        replication(server),
        server.getOrDefault("url", NONE),
        trouble.isEmpty() || state.contains(trouble) ? state : state + "; " + trouble);
  }

  /** Of a group that has never changed its primary there is none. */
  private static String term(Map<String, String> server) {
    String term = server.getOrDefault("term", NONE);
    return term.equals("0") ? NONE : term;
  }

  private static String lag(Map<String, String> server) {
    if (server.getOrDefault("lag.samples", "0").equals("0")) {
      return server.containsKey("lagMillis") ? server.get("lagMillis") + " ms" : NONE;
    }
    return server.getOrDefault("lag.p50Millis", "?") + "/" + server.getOrDefault("lag.p99Millis", "?") + " ms";
  }

  /**
   * For a primary, the number of replicas that acknowledge its commits, or that none has to; for a replica, its source.
   */
  private static String replication(Map<String, String> server) {
    if (server.getOrDefault("database.writable", "").equals("true")) {
      return server.getOrDefault("database.durability", "").equals("local")
          ? "durability local"
          : server.getOrDefault("database.acknowledging", "0") + " acknowledging";
    }
    String source = server.getOrDefault("database.source", "");
    if (source.isEmpty()) {
      return NONE;
    }
    return server.getOrDefault("database.receiving", "").equals("true") ? "from " + source : "cut off from " + source;
  }
}
