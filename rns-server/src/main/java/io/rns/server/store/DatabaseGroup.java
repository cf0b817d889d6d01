package io.rns.server.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The members of a group of MySQL databases, as one of them sees them: "Group Replication" in MySQL's manual.
 *
 * @param members those that it sees, itself among them
 */
record DatabaseGroup(List<Seen> members) {
  private static final String SQL =
      """
      SELECT member_id = @@global.server_uuid, CONCAT(member_host, ':', member_port), member_state, member_role
        FROM performance_schema.replication_group_members""";

  private static final String ONLINE = "ONLINE";
  private static final String RECOVERING = "RECOVERING";
  private static final String ERROR = "ERROR";

  /**
   * One of them.
   *
   * @param self whether it is the one that was asked
   * @param address {@code host:port}, as {@code report_host} and {@code report_port} say
   * @param state {@code ONLINE}, {@code RECOVERING}, {@code UNREACHABLE}, {@code ERROR}, {@code OFFLINE}
   * @param role {@code PRIMARY}, {@code SECONDARY}; empty outside
   */
  record Seen(boolean self, String address, String state, String role) {
    boolean isOnline() {
      return state.equals(ONLINE);
    }

    private boolean takesPart() {
      return isOnline() || state.equals(RECOVERING);
    }

    private boolean isPrimary() {
      return role.equals("PRIMARY");
    }
  }

  /** Copies the members. */
  DatabaseGroup {
    members = List.copyOf(members);
  }

  /** As it is seen now. */
  static DatabaseGroup find(Connection connection) throws SQLException {
    List<Seen> members = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(SQL)) {
      while (rows.next()) {
        members.add(new Seen(rows.getBoolean(1), rows.getString(2), rows.getString(3), rows.getString(4)));
      }
    }
    return new DatabaseGroup(members);
  }

  private Optional<Seen> self() {
    return members.stream().filter(Seen::self).findFirst();
  }

  /** Whether it has joined, whether it can reach a majority or not. */
  boolean hasJoined() {
    return self().filter(Seen::takesPart).isPresent();
  }

  /** Whether it has joined and reaches a majority, so that what is committed here is agreed on. */
  boolean takesPart() {
    return hasJoined() && members.stream().filter(Seen::takesPart).count() * 2 > members.size();
  }

  /** Whether it is the one that the members have chosen. */
  boolean isPrimary() {
    return hasJoined() && self().filter(Seen::isPrimary).isPresent();
  }

  /** Whether it was expelled, or left after an error, and has not rejoined. */
  boolean isThrownOut() {
    return self().filter(seen -> seen.state().equals(ERROR)).isPresent();
  }

  /** Where the one that the members have chosen is reached; empty if it is this one, or none is known. */
  Optional<String> otherPrimary() {
    return hasJoined()
        ? members.stream().filter(seen -> seen.isPrimary() && !seen.self()).map(Seen::address).findFirst()
        : Optional.empty();
  }

  /**
   * Why a database outside cannot join by the one that was asked now; empty if it can.
   *
   * @param address of that database
   */
  Optional<String> refusal(String address) {
    if (!takesPart()) {
      return Optional.of(trouble().orElse("it is not a member of one"));
    }
    return members.stream().anyMatch(seen -> seen.address().equals(address))
        ? Optional.of("the group still counts its former life as a member")
        : Optional.empty();
  }

  /** How many others have what is committed here. */
  int othersOnline() {
    return (int) members.stream().filter(seen -> !seen.self() && seen.isOnline()).count();
  }

  /** What is wrong. */
  Optional<String> trouble() {
    if (isThrownOut()) {
      return Optional.of("thrown out of the group of databases, or left it after an error: see the database's log");
    }
    return hasJoined() && !takesPart()
        ? Optional.of(
            "a majority of the group of databases cannot be reached: " + members.stream().map(Seen::address).toList())
        : Optional.empty();
  }
}
