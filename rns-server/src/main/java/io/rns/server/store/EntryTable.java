package io.rns.server.store;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The table {@code entry}: all bindings of names. Every statement goes by a key. */
public final class EntryTable {
  static final int DIRECTORY = 1;
  private static final int JUNCTION = 2;

  /** A directory whose content another server group owns; the column {@code epr} has the number of the group. */
  static final int DELEGATED = 3;

  /** Keys of one statement: bounds its text, and the optimizer's memory for ranges (8 MiB). */
  private static final int KEYS_PER_STATEMENT = 256;

  static final String COLUMNS =
      "parent_id, name, entry_id, kind, version, created_at, modified_at, epr, metadata";

  /** Content that is read at once with its row; larger content is read row by row, when there is room for it. */
  private static final int SMALL_BYTES = 8 << 10;

  /** Content behind which a stretch of a directory ends. */
  public static final int STRETCH_BYTES = 1 << 20;

  /** Rows that can be read at once whatever their entries have: together at most {@link #STRETCH_BYTES}. */
  public static final int SURE_ROWS = STRETCH_BYTES / SMALL_BYTES;

  private static final String SELECT_SMALL = selectSmall(SMALL_BYTES);
  static final int BYTES_COLUMN = 10;

  private static final byte[] NONE = {};

  private EntryTable() {}

  /** Selects entries, each with the bytes of its content, and with the content itself up to so many of them. */
  static String selectSmall(int bytes) {
    return "SELECT parent_id, name, entry_id, kind, version, created_at, modified_at, " + content(bytes)
        + " FROM entry WHERE ";
  }

  private static String content(int most) {
    String bytes = "COALESCE(LENGTH(epr), 0) + COALESCE(LENGTH(metadata), 0)";
    String ifSmall = "IF(" + bytes + " <= " + most + ", ";
    return ifSmall + "epr, NULL), " + ifSmall + "metadata, NULL), " + bytes;
  }

  /** References and metadata of an entry in bytes, about. */
  public static long contentBytes(Entry entry) {
    long bytes = entry.metadata().xml().length();
    if (entry instanceof Entry.Junction junction) {
      for (EndpointReference reference : junction.references()) {
        bytes += reference.address().length() + reference.content().length();
      }
    }
    return bytes;
  }

  private static final String SELECT_BY_KEY = "SELECT " + COLUMNS + " FROM entry WHERE parent_id = ? AND name = ?";

  /** The entry of a key, or null. */
  public static @Nullable Entry find(Connection connection, EntryKey key) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT_BY_KEY)) {
      select.setLong(1, key.parent());
      select.setBytes(2, key.nameBytes());
      return single(select);
    }
  }

  private static final String SELECT_BY_ID = "SELECT " + COLUMNS + " FROM entry WHERE entry_id = ?";

  /** The entry of an identity, or null. */
  public static @Nullable Entry find(Connection connection, EntryId id) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT_BY_ID)) {
      select.setLong(1, id.value());
      return single(select);
    }
  }

  private static @Nullable Entry single(PreparedStatement select) throws SQLException {
    try (ResultSet row = select.executeQuery()) {
      return row.next() ? read(row) : null;
    }
  }

  /** Names that one statement of {@link #findPath} follows; each is a column of the row. */
  static final int PATH_LEVELS = 8;

  /** Follows as many names as its index says, and one. */
  private static final List<String> SELECT_PATH =
      IntStream.rangeClosed(1, PATH_LEVELS).mapToObj(EntryTable::selectPath).toList();

  private static String selectPath(int levels) {
    StringJoiner columns = new StringJoiner(", ");
    StringBuilder joins = new StringBuilder();
    for (int i = 1; i <= levels; i++) {
      columns.add(EntryRow.packed("e" + i + ".", SMALL_BYTES));
      if (i > 1) {
        joins.append(" LEFT JOIN entry e%d ON e%1$d.parent_id = e%d.entry_id AND e%1$d.name = ?".formatted(i, i - 1));
      }
    }
    return "SELECT " + columns + " FROM entry e1" + joins + " WHERE e1.parent_id = ? AND e1.name = ?";
  }

  /**
   * Follows a path: the entry of a key, of the first name below it, and so on, in one round trip.
   *
   * @param below names that follow one another; only the first {@value #PATH_LEVELS} keys are looked up
   * @param budget what may be read
   * @return the keys that were reached, in their order, with their entries; the last one is empty if it has none
   */
  public static Map<EntryKey, Optional<Entry>> findPath(
      Connection connection, EntryKey first, List<EntryName> below, ContentBudget budget) throws SQLException {
    int levels = Math.min(PATH_LEVELS, 1 + below.size());
    Map<EntryKey, Optional<Entry>> reached = LinkedHashMap.newLinkedHashMap(levels);
    try (PreparedStatement select = connection.prepareStatement(SELECT_PATH.get(levels - 1))) {
      for (int i = 1; i < levels; i++) {
        select.setBytes(i, below.get(i - 1).utf8());
      }
      select.setLong(levels, first.parent());
      select.setBytes(levels + 1, first.nameBytes());
      try (ResultSet row = select.executeQuery()) {
        boolean any = row.next();
        EntryKey key = first;
        for (int i = 0; i < levels; i++) {
          EntryRow found = any ? EntryRow.unpack(row.getBytes(1 + i)) : null;
          Entry entry = found == null ? null : level(connection, key, found, budget);
          reached.put(key, Optional.ofNullable(entry));
          if (!(entry instanceof Entry.VirtualDirectory) || i == below.size()) {
            break;
          }
          key = new EntryKey(found.id(), below.get(i));
        }
      }
    }
    return reached;
  }

  private static @Nullable Entry level(Connection connection, EntryKey key, EntryRow row, ContentBudget budget)
      throws SQLException {
    budget.take(row.bytes());
    if (row.bytes() > SMALL_BYTES) {
      return find(connection, key);
    }
    EntryName name = key.name();
    return entry(name == null ? null : new Entry.Binding(new EntryId(key.parent()), name), row);
  }

  /**
   * The entries of many keys; a key without an entry is not in the map.
   *
   * @param budget what may be read
   */
  public static Map<EntryKey, Entry> find(Connection connection, Collection<EntryKey> keys, ContentBudget budget)
      throws SQLException {
    Map<EntryKey, Entry> found = HashMap.newHashMap(keys.size());
    Iterator<EntryKey> rest = keys.iterator();
    for (int left = keys.size(); left > 0; left -= KEYS_PER_STATEMENT) {
      int count = Math.min(left, KEYS_PER_STATEMENT);
      try (PreparedStatement select = connection.prepareStatement(SELECT_SMALL + orOfKeys(count))) {
        setKeys(select, rest, count);
        read(connection, select, budget).forEach(entry -> found.put(keyOf(entry), entry));
      }
    }
    return found;
  }

  /**
   * The entries of many identities; an identity without an entry is not in the map.
   *
   * @param budget what may be read
   */
  public static Map<EntryId, Entry> findIds(Connection connection, Collection<EntryId> ids, ContentBudget budget)
      throws SQLException {
    Map<EntryId, Entry> found = HashMap.newHashMap(ids.size());
    Iterator<EntryId> rest = ids.iterator();
    for (int left = ids.size(); left > 0; left -= KEYS_PER_STATEMENT) {
      int count = Math.min(left, KEYS_PER_STATEMENT);
      String marks = "entry_id IN (" + Statements.marks(count) + ")";
      try (PreparedStatement select = connection.prepareStatement(SELECT_SMALL + marks)) {
        for (int i = 1; i <= count; i++) {
          select.setLong(i, rest.next().value());
        }
        read(connection, select, budget).forEach(entry -> found.put(entry.id(), entry));
      }
    }
    return found;
  }

  private static List<Entry> read(Connection connection, PreparedStatement select, ContentBudget budget)
      throws SQLException {
    try (ResultSet row = select.executeQuery()) {
      List<Entry> entries = new ArrayList<>();
      while (row.next()) {
        add(entries, connection, row, budget);
      }
      return entries;
    }
  }

  /** Adds the entry of a row of {@link #SELECT_SMALL}; a large one is read by a statement of its own. */
  private static void add(List<Entry> entries, Connection connection, ResultSet row, ContentBudget budget)
      throws SQLException {
    long bytes = row.getLong(BYTES_COLUMN);
    budget.take(bytes);
    Entry entry =
        bytes <= SMALL_BYTES
            ? read(row)
            : find(connection, new EntryKey(row.getLong(1), EntryName.ofUtf8(row.getBytes(2))));
    if (entry != null) {
      entries.add(entry);
    }
  }

  /** The key under which an entry is kept. */
  public static EntryKey keyOf(Entry entry) {
    return entry.isRoot() ? EntryKey.ROOT : new EntryKey(entry.binding().parent().value(), entry.binding().name());
  }

  private static String orOfKeys(int count) {
    return "(parent_id = ? AND name = ?)" + " OR (parent_id = ? AND name = ?)".repeat(count - 1);
  }

  private static void setKeys(PreparedStatement statement, Iterator<EntryKey> keys, int count) throws SQLException {
    for (int i = 0; i < count; i++) {
      EntryKey key = keys.next();
      statement.setLong(2 * i + 1, key.parent());
      statement.setBytes(2 * i + 2, key.nameBytes());
    }
  }

  private static final String SELECT_AFTER = SELECT_SMALL + "parent_id = ? AND name > ? ORDER BY name LIMIT ?";
  private static final String SELECT_FROM = SELECT_SMALL + "parent_id = ? AND name >= ? ORDER BY name LIMIT ?";

  /**
   * Entries of a directory that follow one another.
   *
   * @param isCut whether there are fewer than asked for because they are large; there is at least one then
   */
  public record Stretch(List<Entry> entries, boolean isCut) {}

  /**
   * Entries of a directory in byte order, from a name on ({@code inclusive}) or after it.
   *
   * @param limit how many at most; they end early behind {@link #STRETCH_BYTES} of references and metadata
   * @param budget what may be read
   */
  public static Stretch list(
      Connection connection, EntryId directory, byte[] name, boolean inclusive, int limit, ContentBudget budget)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(inclusive ? SELECT_FROM : SELECT_AFTER)) {
      select.setLong(1, directory.value());
      select.setBytes(2, name);
      select.setInt(3, limit);
      try (ResultSet row = select.executeQuery()) {
        List<Entry> entries = new ArrayList<>();
        long bytes = 0;
        while (row.next()) {
          if (bytes > STRETCH_BYTES && !entries.isEmpty()) {
            return new Stretch(entries, true);
          }
          bytes += row.getLong(BYTES_COLUMN);
          add(entries, connection, row, budget);
        }
        return new Stretch(entries, false);
      }
    }
  }

  /** Deletes the rows of keys. */
  public static void delete(Statements statements, Collection<EntryKey> keys) throws SQLException {
    Iterator<EntryKey> rest = keys.iterator();
    for (int left = keys.size(); left > 0; left -= KEYS_PER_STATEMENT) {
      int count = Math.min(left, KEYS_PER_STATEMENT);
      Object[] parameters = new Object[2 * count];
      for (int i = 0; i < count; i++) {
        EntryKey key = rest.next();
        parameters[2 * i] = key.parent();
        parameters[2 * i + 1] = key.nameBytes();
      }
      statements.add("DELETE FROM entry WHERE " + orOfKeys(count), parameters);
    }
  }

  private static final String INSERT = "INSERT INTO entry (" + COLUMNS + ") VALUES ";

  /** Inserts rows; a key or an identity that exists is an error. */
  public static void insert(Statements statements, Collection<Entry> entries) throws SQLException {
    Statements.Rows rows = statements.insert(INSERT);
    for (Entry entry : entries) {
      EntryKey key = keyOf(entry);
      rows.add(
          key.parent(),
          key.nameBytes(),
          entry.id().value(),
          kind(entry),
          entry.version(),
          micros(entry.created()),
          micros(entry.modified()),
          epr(entry),
          entry.metadata().isEmpty() ? null : entry.metadata().xml().getBytes(StandardCharsets.UTF_8));
    }
  }

  private static int kind(Entry entry) {
    return switch (entry) {
      case Entry.VirtualDirectory directory -> directory.owner().isPresent() ? DELEGATED : DIRECTORY;
      case Entry.Junction junction -> JUNCTION;
    };
  }

  private static byte @Nullable [] epr(Entry entry) {
    return switch (entry) {
      case Entry.VirtualDirectory directory when directory.owner().isPresent() ->
        Integer.toString(directory.owner().getAsInt()).getBytes(StandardCharsets.US_ASCII);
      case Entry.VirtualDirectory directory -> null;
      case Entry.Junction junction -> ReferencesColumn.write(junction.references());
    };
  }

  static Entry read(ResultSet row) throws SQLException {
    long parent = row.getLong(1);
    byte[] epr = bytes(row, 8);
    byte[] metadata = bytes(row, 9);
    return entry(
        parent == 0 ? null : new Entry.Binding(new EntryId(parent), EntryName.ofUtf8(row.getBytes(2))),
        new EntryRow(
            row.getLong(3), row.getInt(4), row.getLong(5), row.getLong(6), row.getLong(7), epr, metadata,
            epr.length + metadata.length));
  }

  private static byte[] bytes(ResultSet row, int column) throws SQLException {
    byte[] bytes = row.getBytes(column);
    return bytes == null ? NONE : bytes;
  }

  private static Entry entry(Entry.@Nullable Binding binding, EntryRow row) {
    EntryId id = new EntryId(row.id());
    Instant created = instant(row.created());
    Instant modified = instant(row.modified());
    Metadata metadata = Metadata.stored(new String(row.metadata(), StandardCharsets.UTF_8));
    if (row.kind() != JUNCTION || binding == null) {
      OptionalInt owner =
          row.kind() == DELEGATED
              ? OptionalInt.of(Integer.parseInt(new String(row.epr(), StandardCharsets.US_ASCII)))
              : OptionalInt.empty();
      return new Entry.VirtualDirectory(binding, id, row.version(), created, modified, metadata, -1, owner);
    }
    return new Entry.Junction(
        binding, id, row.version(), created, modified, metadata, ReferencesColumn.read(row.epr()));
  }

  static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
