package io.rns.server.store;

import io.rns.api.EntryName;
import io.rns.api.Position;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code change_log}: every committed change, numbered without gaps in the order of commits. A row holds changes
 * of one transaction that follow one another, because readers want them in that order and never one by one.
 *
 * <p>The form of one change in a row: kind (1 byte), entry id (8), directory id (8), length of the name (2), name; a moved
 * one also has the former directory id (8), length of the former name (2) and former name.
 */
public final class ChangeLogTable {
  private static final String INSERT =
      "INSERT INTO change_log (last_sequence, first_sequence, epoch, committed_at, changes) VALUES (?, ?, ?, ?, ?)";
  private static final String SELECT =
      """
      SELECT first_sequence, last_sequence, changes FROM change_log
      WHERE last_sequence > ? ORDER BY last_sequence LIMIT ?
      """;
  private static final String OLDEST =
      "SELECT last_sequence, committed_at FROM change_log ORDER BY last_sequence LIMIT 1 OFFSET ?";
  private static final String DELETE = "DELETE FROM change_log WHERE last_sequence <= ?";

  /** When a row is full, in bytes. */
  private static final int ROW_BYTES = 64 << 10;

  private ChangeLogTable() {}

  /** What happened to an entry. */
  public enum Kind {
    /** It was made. */
    ADDED(1),
    /** Its references or metadata were replaced. */
    CHANGED(2),
    /** It got another name or directory, perhaps other content too. */
    MOVED(3),
    /** It was taken out of the tree, with all below it. */
    REMOVED(4);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    private static Kind of(int code) throws IOException {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IOException("unknown kind of change " + code);
    }
  }

  /**
   * One change.
   *
   * @param sequence its number
   * @param kind what happened
   * @param entryId the entry it happened to
   * @param key where the entry is; of a removed one, where it was
   * @param oldKey where a moved entry was
   */
  public record Change(long sequence, Kind kind, long entryId, EntryKey key, @Nullable EntryKey oldKey) {}

  /**
   * Appends changes.
   *
   * @param epoch the epoch in which they are made
   * @param time of the transaction
   * @param changes with consecutive numbers
   */
  public static void append(Statements statements, int epoch, Instant time, List<Change> changes) throws SQLException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    long first = 0;
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      if (bytes.size() == 0) {
        first = change.sequence();
      }
      write(out, change);
      if (bytes.size() >= ROW_BYTES || i == changes.size() - 1) {
        statements.add(INSERT, change.sequence(), first, epoch, EntryTable.micros(time), bytes.toByteArray());
        bytes.reset();
      }
    }
  }

  private static void write(DataOutputStream out, Change change) {
    try {
      out.writeByte(change.kind().code);
      out.writeLong(change.entryId());
      writeKey(out, change.key());
      if (change.kind() == Kind.MOVED) {
        writeKey(out, java.util.Objects.requireNonNull(change.oldKey()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void writeKey(DataOutputStream out, EntryKey key) throws IOException {
    byte[] name = key.nameBytes();
    out.writeLong(key.parent());
    out.writeShort(name.length);
    out.write(name);
  }

  /**
   * The changes that follow a position.
   *
   * @param position the last change that is known
   * @param rows most rows to read
   * @return the next changes in order; empty if there are none yet
   */
  public static List<Change> read(Connection connection, Position position, int rows) throws SQLException {
    List<Change> changes = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(SELECT)) {
      select.setLong(1, position.sequence());
      select.setInt(2, rows);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          read(row.getLong(1), row.getLong(2), row.getBytes(3), changes);
        }
      }
    }
    changes.removeIf(change -> change.sequence() <= position.sequence());
    return changes;
  }

  private static void read(long first, long last, byte[] column, List<Change> changes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(column))) {
      for (long sequence = first; sequence <= last; sequence++) {
        Kind kind = Kind.of(in.readByte());
        long entry = in.readLong();
        EntryKey key = readKey(in);
        changes.add(new Change(sequence, kind, entry, key, kind == Kind.MOVED ? readKey(in) : null));
      }
      if (in.read() >= 0) {
        throw new IOException("changes " + first + " to " + last + " are followed by something else");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static EntryKey readKey(DataInputStream in) throws IOException {
    long parent = in.readLong();
    byte[] name = in.readNBytes(in.readUnsignedShort());
    return parent == 0 ? EntryKey.ROOT : new EntryKey(parent, EntryName.ofUtf8(name));
  }

  /**
   * Deletes the oldest {@code step} rows if all of them are older than {@code time}.
   *
   * @return whether it deleted
   */
  public static boolean sweep(Connection connection, Instant time, int step) throws SQLException {
    long last;
    try (PreparedStatement select = connection.prepareStatement(OLDEST)) {
      select.setInt(1, step - 1);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next() || row.getLong(2) >= EntryTable.micros(time)) {
          return false;
        }
        last = row.getLong(1);
      }
    }
    try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
      delete.setLong(1, last);
      delete.executeUpdate();
    }
    return true;
  }
}
