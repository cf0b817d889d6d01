package io.rns.server.namespace;

import io.rns.api.Answer;
import io.rns.api.Cursor;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.NamePattern;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.Right;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.namespace.Resolution.Opened;
import io.rns.server.store.EntryTable;
import io.rns.server.store.EntryTable.Stretch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Pages of directories, read by key from the database; what a page costs depends on the page alone. */
final class Listings {
  /**
   * Text of one page: bounds its memory where entries are large. An answer needs several times as much until it is
   * sent.
   */
  private static final long PAGE_CHARS = 1_048_576;

  /** Of an entry besides references and metadata. */
  private static final long ENTRY_CHARS = 100;

  /** Rows that a page with a pattern looks at; if few match, it ends early with a cursor. */
  private static final int ROWS_PER_PAGE = Limits.PAGE_ENTRIES;

  /** Rows of a first look: nothing is known yet about how large they are. */
  private static final int FIRST_ROWS = EntryTable.SURE_ROWS;

  private static final int MAXIMUM_ROWS = 1_000;

  private final TreeReader reader;

  Listings(TreeReader reader) {
    this.reader = reader;
  }

  Answer<Outcome<Page>> list(TreeAccess access, ListRequest request, long ageMillis) {
    // Rows are read within the consistent read: a directory removed meanwhile is then seen to be gone, not to be empty.
    TreeReader.Read<Outcome<Page>> read =
        reader.consistently(
            access,
            source -> Resolution.directory(source, request.directory(), Right.LIST)
                .map(opened -> shown(source, opened, request, page(source, opened.directory(), request))));
    return read.answer(ageMillis);
  }

  /** A page as the caller may see it: who may list and not read a directory learns names. */
  private static Page shown(PageSource source, Opened opened, ListRequest request, Page page) {
    TreeAccess access = source.access();
    if (access.isAll()
        || access.has(Right.READ, opened.access(), () -> Resolution.path(source, request.directory()))) {
      return page;
    }
    return new Page(
        page.directory(), page.entries().stream().map(HiddenContent::of).toList(), page.next());
  }

  private static Page page(PageSource source, VirtualDirectory directory, ListRequest request) {
    EntryId id = directory.id();
    request.cursor().ifPresent(cursor -> checkCursor(cursor, id));
    String prefix = request.pattern().map(NamePattern::literalPrefix).orElse("");
    byte[] from = prefix.getBytes(StandardCharsets.UTF_8);
    boolean inclusive = true;
    if (request.cursor().isPresent()) {
      byte[] after = request.cursor().get().after().utf8();
      if (java.util.Arrays.compareUnsigned(after, from) >= 0) {
        from = after;
        inclusive = false;
      }
    }
    List<Entry> entries = new ArrayList<>();
    long chars = 0;
    int rows = 0;
    int wanted = FIRST_ROWS;
    while (true) {
      int most = request.pattern().isPresent() ? ROWS_PER_PAGE : request.pageSize() - entries.size() + 1;
      CachedPage known = inclusive && from.length == 0 ? source.peekPage(id, most) : null;
      if (known != null && request.pattern().isEmpty() && isPlain(known)) {
        return first(directory, known, request.pageSize());
      }
      int limit = known == null ? Math.min(wanted, most) : most;
      Stretch found =
          known == null ? source.page(id, from, inclusive, limit) : new Stretch(known.entries(), false);
      for (Entry entry : found.entries()) {
        if (MovingEntries.isMoving(entry)) {
          throw new EntryMoving(entry.displayName());
        }
        if (!entry.displayName().startsWith(prefix)) {
          return new Page(directory, entries, Optional.empty());
        }
        boolean full = entries.size() == request.pageSize() || chars > PAGE_CHARS || rows == ROWS_PER_PAGE;
        if (full) {
          return new Page(directory, entries, after(id, from));
        }
        rows++;
        chars += chars(entry);
        from = entry.binding().name().utf8();
        inclusive = false;
        if (request.pattern().isEmpty() || request.pattern().get().matches(entry.binding().name())) {
          entries.add(entry);
        }
      }
      if (found.isCut() && chars > PAGE_CHARS) {
        return new Page(directory, entries, after(id, from));
      }
      if (found.entries().size() < limit && !found.isCut()) {
        return new Page(directory, entries, Optional.empty());
      }
      wanted = Math.clamp(PAGE_CHARS / (1 + chars / rows), FIRST_ROWS, MAXIMUM_ROWS + 1);
      source.awaitTurn(Math.min(wanted, request.pageSize()) * (chars / rows));
    }
  }

  private static boolean isPlain(CachedPage page) {
    return !page.hasMoving() && ENTRY_CHARS * page.entries().size() + page.contentBytes() <= PAGE_CHARS;
  }

  /** A page with the entries of a cached one: the same list each time, so that it is written once. */
  private static Page first(VirtualDirectory directory, CachedPage known, int pageSize) {
    CachedPage shown = known.first(pageSize);
    return new Page(directory, shown.entries(),
        shown == known ? Optional.empty() : after(directory.id(), shown.entries().getLast().binding().name().utf8()));
  }

  private static Optional<Cursor> after(EntryId directory, byte[] name) {
    return Optional.of(new Cursor(directory, EntryName.ofUtf8(name)));
  }

  private static void checkCursor(Cursor cursor, EntryId directory) {
    if (!cursor.directory().equals(directory)) {
      throw new RnsException(
          RnsError.INVALID_CURSOR,
          "the cursor belongs to the directory with id " + cursor.directory() + ", not to the one with id "
              + directory);
    }
  }

  private static long chars(Entry entry) {
    return ENTRY_CHARS + EntryTable.contentBytes(entry);
  }
}
