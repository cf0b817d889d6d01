package io.rns.server.store;

import io.rns.api.ArriveRequest;
import io.rns.api.EntryId;
import io.rns.api.Position;
import io.rns.error.Limits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The table {@code departure}: entries that are moving to other server groups. */
public final class DepartureTable {
  private static final String SELECT =
      "SELECT entry_id, epoch, sequence, group_id, arrival FROM departure ORDER BY entry_id LIMIT " + Limits.DEPARTURES;
  private static final String INSERT =
      "INSERT INTO departure (entry_id, epoch, sequence, group_id, arrival) VALUES ";

  private DepartureTable() {}

  /**
   * An entry that is moving.
   *
   * @param group where it goes
   * @param arrival what that group is asked for
   */
  public record Departure(int group, ArriveRequest arrival) {
    /** The entry. */
    public EntryId entry() {
      return arrival.entry().id();
    }
  }

  /**
   * All of them; there are at most {@link Limits#DEPARTURES}.
   *
   * @param group the server group of this database
   */
  public static List<Departure> all(Connection connection, int group) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT);
        ResultSet row = select.executeQuery()) {
      List<Departure> departures = new ArrayList<>();
      while (row.next()) {
        Position departed = new Position(group, row.getInt(2), row.getLong(3));
        departures.add(new Departure(row.getInt(4), MoveColumn.readArrival(row.getBytes(5), departed)));
      }
      return departures;
    }
  }

  /** Inserts rows; an entry that has one is an error. */
  public static void insert(Statements statements, Collection<Departure> departures) throws SQLException {
    Statements.Rows rows = statements.insert(INSERT);
    for (Departure departure : departures) {
      Position departed = departure.arrival().departed();
      rows.add(
          departure.entry().value(), departed.epoch(), departed.sequence(), departure.group(),
          MoveColumn.write(departure.arrival()));
    }
  }

  /** Deletes the rows of entries. */
  public static void delete(Statements statements, Collection<EntryId> entries) throws SQLException {
    if (!entries.isEmpty()) {
      statements.add(
          "DELETE FROM departure WHERE entry_id IN (" + Statements.marks(entries.size()) + ")",
          entries.stream().<Object>map(EntryId::value).toArray());
    }
  }
}
