package io.rns.server.store;

import io.rns.api.Change.Kind;
import io.rns.api.EntryName;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.server.store.LoggedChange.Place;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code change_log}: every committed change, numbered without gaps in the order of commits. A row holds
 * changes of one transaction that follow one another, because readers want them in that order and never one by one.
 *
 * <p>The form of one change in a row: kind (1 byte, 16 added if content moves), entry id (8), place; a moved one also
 * has the former place. A place is the directory's id (8), length of the name (2), name, length of the directory's path
 * (2), path; most changes of a row are in one directory, so a path that the place before had is not written again.
 */
public final class ChangeLogTable {
  private static final String INSERT =
      "INSERT INTO change_log (last_sequence, first_sequence, epoch, committed_at, changes) VALUES (?, ?, ?, ?, ?)";
  private static final String SELECT =
      """
      SELECT first_sequence, last_sequence, epoch, committed_at, changes FROM change_log
      WHERE last_sequence > ? ORDER BY last_sequence LIMIT ?
      """;
  private static final String OLDEST =
      """
      SELECT last_sequence, committed_at FROM change_log
      WHERE last_sequence > ? ORDER BY last_sequence LIMIT 1 OFFSET ?
      """;
  private static final String DELETE = "DELETE FROM change_log WHERE last_sequence > ? AND last_sequence <= ?";

  /** When a row is full, in bytes. */
  private static final int ROW_BYTES = 64 << 10;

  /** Added to the kind of a change that moves content between server groups. */
  private static final int MOVES_CONTENT = 16;

  private ChangeLogTable() {}

  /** Of the length of a path: the path is that of the place before. */
  private static final int SAME_PATH = 0xffff;

  /** Of the length of a path: there is none. */
  private static final int NO_PATH = 0xfffe;

  /**
   * Appends changes of one transaction.
   *
   * @param changes with consecutive numbers
   */
  public static void append(Statements statements, List<LoggedChange> changes) throws SQLException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    RowWriter row = new RowWriter(new DataOutputStream(bytes));
    long first = 0;
    for (int i = 0; i < changes.size(); i++) {
      LoggedChange change = changes.get(i);
      Position position = change.position();
      if (bytes.size() == 0) {
        first = position.sequence();
      }
      row.write(change);
      if (bytes.size() >= ROW_BYTES || i == changes.size() - 1) {
        long time = EntryTable.micros(change.time());
        statements.add(INSERT, position.sequence(), first, position.epoch(), time, bytes.toByteArray());
        bytes.reset();
        row = new RowWriter(new DataOutputStream(bytes));
      }
    }
  }

  /** Writes the changes of one row. */
  private static final class RowWriter {
    private final DataOutputStream out;
    private @Nullable RnsPath written;

    RowWriter(DataOutputStream out) {
      this.out = out;
    }

    void write(LoggedChange change) {
      try {
        out.writeByte(code(change.kind()) | (change.movesContent() ? MOVES_CONTENT : 0));
        out.writeLong(change.entryId());
        write(change.place());
        if (change.oldPlace() != null) {
          write(change.oldPlace());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void write(Place place) throws IOException {
      byte[] name = place.key().nameBytes();
      out.writeLong(place.key().parent());
      out.writeShort(name.length);
      out.write(name);
      RnsPath path = place.directory();
      if (path == null) {
        out.writeShort(NO_PATH);
      } else if (path.equals(written)) {
        out.writeShort(SAME_PATH);
      } else {
        byte[] text = path.toString().getBytes(StandardCharsets.UTF_8);
        out.writeShort(text.length);
        out.write(text);
        written = path;
      }
    }
  }

  private static int code(Kind kind) {
    return switch (kind) {
      case ADDED -> 1;
      case CHANGED -> 2;
      case MOVED -> 3;
      case REMOVED -> 4;
    };
  }

  private static Kind kind(int code) throws IOException {
    for (Kind kind : Kind.values()) {
      if (code(kind) == code) {
        return kind;
      }
    }
    throw new IOException("unknown kind of change " + code);
  }

  /**
   * The changes that follow a position.
   *
   * @param position the last change that is known
   * @param rows most rows to read
   * @return the next changes in order; empty if there are none yet
   */
  public static List<LoggedChange> read(Connection connection, Position position, int rows) throws SQLException {
    List<LoggedChange> changes = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(SELECT)) {
      select.setLong(1, position.sequence());
      select.setInt(2, rows);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          Position last = new Position(position.group(), row.getInt(3), row.getLong(2));
          read(row.getLong(1), last, EntryTable.instant(row.getLong(4)), row.getBytes(5), changes);
        }
      }
    }
    changes.removeIf(change -> change.position().sequence() <= position.sequence());
    return changes;
  }

  private static void read(long first, Position last, Instant time, byte[] column, List<LoggedChange> changes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(column))) {
      RowReader row = new RowReader(in);
      for (long sequence = first; sequence <= last.sequence(); sequence++) {
        changes.add(row.read(new Position(last.group(), last.epoch(), sequence), time));
      }
      if (in.read() >= 0) {
        throw new IOException("changes " + first + " to " + last + " are followed by something else");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the changes of one row. */
  private static final class RowReader {
    private final DataInputStream in;
    private @Nullable RnsPath former;

    RowReader(DataInputStream in) {
      this.in = in;
    }

    LoggedChange read(Position position, Instant time) throws IOException {
      int code = in.readByte();
      Kind kind = kind(code & ~MOVES_CONTENT);
      long entry = in.readLong();
      Place place = place();
      Place oldPlace = kind == Kind.MOVED ? place() : null;
      return new LoggedChange(position, time, kind, entry, place, oldPlace, (code & MOVES_CONTENT) != 0);
    }

    private Place place() throws IOException {
      long parent = in.readLong();
      byte[] name = in.readNBytes(in.readUnsignedShort());
      EntryKey key = parent == 0 ? EntryKey.ROOT : new EntryKey(parent, EntryName.ofUtf8(name));
      int length = in.readUnsignedShort();
      if (length == NO_PATH) {
        return new Place(key, null);
      }
      if (length != SAME_PATH) {
        former = path(new String(in.readNBytes(length), StandardCharsets.UTF_8));
      }
      return new Place(key, former);
    }
  }

  /** A path as it was written: its names need not be such that callers may give to entries. */
  private static RnsPath path(String text) {
    String names = text.substring(1);
    return names.isEmpty() ? RnsPath.ROOT
        : RnsPath.of(
            Stream.of(names.split("/", -1)).map(name -> EntryName.ofUtf8(name.getBytes(StandardCharsets.UTF_8)))
                .toList());
  }

  /**
   * Deletes the oldest {@code step} rows if all of them are older than {@code time}.
   *
   * @param after the last row that is known to be deleted, as of {@link RequestLogTable#sweep}
   */
  public static SweptLog sweep(Connection connection, long after, Instant time, int step) throws SQLException {
    long last;
    try (PreparedStatement select = connection.prepareStatement(OLDEST)) {
      select.setLong(1, after);
      select.setInt(2, step - 1);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next() || row.getLong(2) >= EntryTable.micros(time)) {
          return new SweptLog(after, false);
        }
        last = row.getLong(1);
      }
    }
    try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
      delete.setLong(1, after);
      delete.setLong(2, last);
      delete.executeUpdate();
    }
    return new SweptLog(last, true);
  }
}
