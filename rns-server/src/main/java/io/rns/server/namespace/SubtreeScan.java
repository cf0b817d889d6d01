package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryFilter;
import io.rns.api.EntryFilter.Kind;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage;
import io.rns.api.SubtreePage.Visit;
import io.rns.api.SubtreePosition;
import io.rns.api.SubtreeRequest;
import io.rns.api.SubtreeRequest.Order;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.api.EffectiveAccess;
import io.rns.server.namespace.Resolution.Opened;
import io.rns.server.namespace.ScannedDirectory.ScannedEntry;
import io.rns.server.store.ChildRows;
import io.rns.server.store.ChildRows.ChildRow;
import io.rns.server.store.ContentBudget;
import io.rns.server.store.EntryKey;
import io.rns.server.store.EntryTable;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads one page of a subtree in one snapshot of the database.
 *
 * <p>Entries are visited each directory before its content, so that where a page ends is one path, whatever the size of
 * the tree. They are read breadth first: one statement reads the entries of the next directories that are known and not
 * read yet, up to {@link ChildRows#PARENTS_PER_STATEMENT} of them, so a page takes about as many statements as the tree
 * has levels. What was read ahead and not visited when the page ends is read again for the next one.
 */
final class SubtreeScan {
  /** Entries that a page with a filter looks at: bounds how long it holds a connection and a snapshot. */
  private static final int MOST_VISITED = 2 * Limits.PAGE_ENTRIES;

  /** References and metadata of a page: bounds its memory where entries are large. */
  private static final long PAGE_BYTES = 1 << 20;

  /** What a page holds, with everything that was read ahead: then it ends, if it has an entry at all. */
  private static final long MEMORY_BYTES = 8 << 20;

  /** Memory of an entry besides its name, references and metadata, about. */
  private static final int ENTRY_BYTES = 400;

  /** Rows of one statement: with content up to 1 KiB, a result has up to 4 MiB. */
  private static final int MOST_ROWS = 4_096;

  private static final int LEAST_ROWS = 32;
  private static final int MOST_PARENTS = ChildRows.PARENTS_PER_STATEMENT;

  private final SubtreeRequest request;
  private final PageSource source;
  private final Connection connection;
  private final ContentBudget budget;
  private final Deque<Level> levels = new ArrayDeque<>();
  private final List<Found> found = new ArrayList<>();
  private long visited;
  private long content;
  private long memory;
  private @Nullable SubtreePosition reached;

  SubtreeScan(SubtreeRequest request, PageSource source, Connection connection, ContentBudget budget) {
    this.request = request;
    this.source = source;
    this.connection = connection;
    this.budget = budget;
  }

  /**
   * A directory whose entries are being visited.
   *
   * @param access what holds in it
   * @param readable whether the caller may see more than names
   */
  private record Level(ScannedDirectory directory, RnsPath path, EffectiveAccess access, boolean readable) {}

  /** A wanted entry; only its name is, where it is not readable. */
  private record Found(RnsPath path, ScannedEntry entry, int depth, boolean readable) {
    private ChildRow row() {
      return entry.row();
    }

    private Visit with(Entry content) {
      return new Visit(path, readable ? content : HiddenContent.of(content), depth, entry.last());
    }
  }

  SubtreePage page(Opened start) throws SQLException {
    ContentBudget.expect(Math.min(left(), MOST_ROWS) * ENTRY_BYTES);
    enter(start);
    boolean more = scan();
    return new SubtreePage(visits(), more ? Optional.ofNullable(reached) : Optional.empty(), visited);
  }

  /** Visits entries up to the end of the page; false if it is the end of the subtree. */
  private boolean scan() throws SQLException {
    while (!levels.isEmpty()) {
      Level level = levels.element();
      ScannedEntry next = level.directory().poll();
      if (next != null) {
        if (!visit(level, next) || isFull()) {
          return true;
        }
      } else if (level.directory().isComplete()) {
        levels.pop();
      } else {
        read();
      }
    }
    return false;
  }

  private boolean isFull() {
    return found.size() == request.pageSize() || visited >= MOST_VISITED || content > PAGE_BYTES
        || memory > MEMORY_BYTES;
  }

  /** Visits an entry; false if the page has to end there: before an entry that has no path, or where a cut is. */
  private boolean visit(Level level, ScannedEntry next) throws SQLException {
    ChildRow row = next.row();
    if (row.isMoving()) {
      throw new EntryMoving(row.name().toString());
    }
    RnsPath path;
    try {
      path = level.path().child(row.name());
    } catch (RnsException e) {
      if (visited == 0 || e.error() != RnsError.LIMIT_EXCEEDED) {
        throw e;
      }
      // What comes before it is answered first.
      return false;
    }
    if (isWanted(row, level.readable())) {
      content += row.bytes();
      found.add(new Found(path, next, levels.size(), level.readable()));
    }
    Level below = next.content() == null ? null : below(level, next.content(), path, row);
    boolean isCut = row.isDelegated() && below != null;
    if (below != null && !isCut) {
      levels.push(below);
    }
    reached = new SubtreePosition(path, row.isDirectory());
    visited++;
    // The group that owns the content goes on, and then this one behind it.
    return !isCut;
  }

  /** The content of a directory, if the caller may pass to it and list it; otherwise null, and it is left out. */
  private @Nullable Level below(Level level, ScannedDirectory content, RnsPath path, ChildRow row)
      throws SQLException {
    if (source.access().isAll()) {
      return new Level(content, path, EffectiveAccess.NONE, true);
    }
    Entry entry = row.entry() != null ? row.entry() : EntryTable.find(connection, row.key());
    return entry instanceof VirtualDirectory directory ? below(level, content, path, directory) : null;
  }

  private @Nullable Level below(Level level, ScannedDirectory content, RnsPath path, VirtualDirectory directory) {
    TreeAccess access = source.access();
    if (!level.readable()) {
      return null;
    }
    EffectiveAccess inside = access.enter(level.access(), directory);
    return access.has(Right.LIST, inside, () -> outer(path))
        ? new Level(content, path, inside, isReadable(inside, path))
        : null;
  }

  private boolean isReadable(EffectiveAccess inside, RnsPath path) {
    return source.access().has(Right.READ, inside, () -> outer(path));
  }

  private Optional<RnsPath> outer(RnsPath path) {
    return Resolution.path(source, new Target(request.directory().start(), path));
  }

  private boolean isWanted(ChildRow row, boolean readable) throws SQLException {
    EntryFilter filter = request.filter();
    if (!filter.mayMatch(row.name(), row.isDirectory() ? Kind.DIRECTORY : Kind.JUNCTION)) {
      return false;
    }
    if (filter.metadata().isEmpty()) {
      return true;
    }
    if (!readable) {
      return false;
    }
    Entry entry = row.entry() != null ? row.entry() : EntryTable.find(connection, row.key());
    return entry != null && filter.matches(entry);
  }

  /** What was found, with the content that was left out because it is large. */
  private List<Visit> visits() throws SQLException {
    List<EntryId> large =
        found.stream().map(Found::row).filter(row -> row.entry() == null).map(row -> new EntryId(row.id())).toList();
    Map<EntryId, Entry> read = large.isEmpty() ? Map.of() : EntryTable.findIds(connection, large, budget);
    List<Visit> visits = new ArrayList<>(found.size());
    for (Found one : found) {
      Entry entry = one.row().entry();
      visits.add(one.with(entry != null ? entry : Objects.requireNonNull(read.get(new EntryId(one.row().id())))));
    }
    return visits;
  }

  // ---- where the page begins

  private void enter(Opened start) throws SQLException {
    RnsPath path = request.directory().path();
    ScannedDirectory directory =
        new ScannedDirectory(start.directory().id().value(), request.depth(), request.order());
    Level level = new Level(directory, path, start.access(), isReadable(start.access(), path));
    levels.push(level);
    if (request.after().isEmpty()) {
      return;
    }
    SubtreePosition position = request.after().get();
    List<EntryName> names = position.path().names().subList(path.depth(), position.path().depth());
    for (int depth = 1; depth <= names.size(); depth++) {
      EntryName name = names.get(depth - 1);
      boolean isDirectory = depth < names.size() || position.isDirectory();
      directory.resume(name, isDirectory);
      delay(directory, name);
      boolean past = depth == names.size() && position.past();
      if (!isDirectory || past || depth >= request.depth()
          || !(Resolution.find(source, new EntryKey(directory.id(), name)) instanceof VirtualDirectory below)) {
        return;
      }
      path = path.child(name);
      directory = new ScannedDirectory(below.id().value(), request.depth() - depth, request.order());
      level = source.access().isAll()
          ? new Level(directory, path, EffectiveAccess.NONE, true)
          : below(level, directory, path, below);
      if (level == null) {
        return;
      }
      levels.push(level);
    }
  }

  /** In line order, directories with names before the one at which a page begins may come behind it. */
  private void delay(ScannedDirectory directory, EntryName at) throws SQLException {
    if (request.order() == Order.NAMES) {
      return;
    }
    List<EntryKey> keys = new ArrayList<>();
    String name = at.toString();
    for (int length = 1; length < name.length(); length++) {
      EntryName shorter = EntryName.ofUtf8(name.substring(0, length).getBytes(StandardCharsets.UTF_8));
      if (ScannedDirectory.isBeforeLineOf(shorter, at)) {
        keys.add(new EntryKey(directory.id(), shorter));
      }
    }
    Map<EntryKey, Entry> known = keys.isEmpty() ? Map.of() : EntryTable.find(connection, keys, budget);
    for (EntryKey key : keys) {
      if (known.get(key) instanceof VirtualDirectory delayed) {
        long bytes = EntryTable.contentBytes(delayed);
        directory.delay(
            new ChildRow(key.parent(), delayed.binding().name(), delayed.id().value(), true,
                delayed.owner().isPresent(), MovingEntries.isMoving(delayed), bytes, delayed));
      }
    }
  }

  // ---- reading

  /** Reads entries of the directory that is being visited, if it has any, and of those that come next. */
  private void read() throws SQLException {
    ScannedDirectory first = levels.element().directory();
    EntryName after = first.after();
    if (after == null) {
      Unread unread = unread();
      int limit = limit(unread.before());
      share(ChildRows.ofAll(connection, unread.ids(), limit), limit, unread.directories());
    } else {
      int limit = limit(0);
      SortedMap<Long, ScannedDirectory> one = new TreeMap<>(Map.of(first.id(), first));
      share(ChildRows.after(connection, first.id(), after, limit), limit, one);
    }
  }

  /** Entries that a statement reads at most, if so many come before them: those that the page gets to, and the next. */
  private int limit(long before) {
    return memory > MEMORY_BYTES ? LEAST_ROWS : Math.clamp(left() - before + 1, LEAST_ROWS, MOST_ROWS);
  }

  /** Entries that the page may still visit. */
  private long left() {
    return request.filter().isAll() ? request.pageSize() - found.size() : MOST_VISITED - visited;
  }

  /**
   * Directories of which nothing was read.
   *
   * @param before entries that were read and are visited before the content of the last of them
   */
  private record Unread(SortedMap<Long, ScannedDirectory> directories, long before) {
    long[] ids() {
      return directories.keySet().stream().mapToLong(Long::longValue).toArray();
    }
  }

  /** The first directory, and others that the page gets to. */
  private Unread unread() {
    SortedMap<Long, ScannedDirectory> unread = new TreeMap<>();
    Deque<Ahead> way = new ArrayDeque<>();
    levels.descendingIterator().forEachRemaining(level -> way.push(new Ahead(level.directory())));
    int most = memory > MEMORY_BYTES ? 1 : MOST_PARENTS;
    long before = 0;
    while (!way.isEmpty() && before < left() && unread.size() < most) {
      Ahead at = way.element();
      if (at.entries().hasNext()) {
        before++;
        ScannedDirectory below = at.entries().next().content();
        if (below != null) {
          way.push(new Ahead(below));
        }
      } else {
        way.pop();
        if (!at.directory().isComplete() && at.directory().after() == null) {
          unread.put(at.directory().id(), at.directory());
        }
      }
    }
    return new Unread(unread, before);
  }

  /** A directory on the way to those that come next. */
  private record Ahead(ScannedDirectory directory, Iterator<ScannedEntry> entries) {
    Ahead(ScannedDirectory directory) {
      this(directory, directory.placed());
    }
  }

  /**
   * Gives the directories what was read of them. If a statement ended at its limit, its last entry is left for the next
   * one: so each directory that is not complete has another entry, and none before it is the last.
   */
  private void share(List<ChildRow> rows, int limit, SortedMap<Long, ScannedDirectory> directories) {
    boolean cut = rows.size() == limit;
    long cutAt = cut ? rows.getLast().parent() : Long.MAX_VALUE;
    int from = 0;
    for (Map.Entry<Long, ScannedDirectory> each : directories.entrySet()) {
      long id = each.getKey();
      if (id > cutAt) {
        return;
      }
      int to = from;
      while (to < rows.size() && rows.get(to).parent() == id) {
        to++;
      }
      boolean end = id < cutAt;
      List<ChildRow> own = rows.subList(from, end ? to : to - 1);
      own.forEach(this::count);
      if (end || !own.isEmpty()) {
        each.getValue().take(own, end);
      }
      from = to;
    }
  }

  private void count(ChildRow row) {
    long bytes = ENTRY_BYTES + row.name().toString().length() + (row.entry() == null ? 0 : row.bytes());
    budget.take(bytes);
    memory += bytes;
  }
}
