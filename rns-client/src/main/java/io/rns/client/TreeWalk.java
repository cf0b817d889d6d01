package io.rns.client;

import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.call.Ticker;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Everything below a directory, each directory before its entries, in a fixed order. Costs what it visits; the
 * directories that come next are listed ahead by a few threads, and memory is bounded by a page per level and
 * {@value PageFetcher#MOST_AHEAD} pages ahead.
 *
 * <p>The walk is no snapshot: what is added, removed or moved meanwhile may be visited or not; a directory that is
 * removed before it is listed counts as empty. Belongs to one thread. Methods throw what {@link NameService#list}
 * throws, and {@link RnsException} with {@link RnsError#NO_SUCH_ENTRY} or {@link RnsError#NOT_DIRECTORY} if the start
 * is no directory, with {@link RnsError#TIMEOUT} once the deadline has passed.
 */
public final class TreeWalk implements Iterator<TreeWalk.Visit>, AutoCloseable {
  /** In which order the entries of one directory are visited. */
  public enum Order {
    /** Byte order of the names. */
    NAMES,
    /**
     * Byte order of the lines that stand for entries: path and tab for a junction, path and {@code /} for a directory.
     * The whole walk is then in the order into which {@code LC_ALL=C sort} puts such lines.
     */
    LINES
  }

  /**
   * An entry on the way.
   *
   * @param path its path: that of the start followed by the names below it
   * @param entry the entry
   * @param depth how far below the start: 1 for the start's own entries
   * @param last whether no other entry of the same directory follows
   */
  public record Visit(RnsPath path, Entry entry, int depth, boolean last) {}

  private final PageFetcher fetcher;
  private final Settings settings;
  private final Deque<WalkLevel> levels = new ArrayDeque<>();
  private @Nullable Visit upcoming;
  private long visited;

  private PageFetcher.@Nullable Fetch start;

  private TreeWalk(Settings settings) {
    this.settings = settings;
    this.fetcher = new PageFetcher(settings);
    this.start = fetcher.start(fetcher.request(settings.start));
  }

  /** A walk with the defaults. */
  public static Settings of(NameService service, Target start) {
    return new Settings(service, start);
  }

  private void enter(Target directory, RnsPath path, PageFetcher.Fetch firstPage) {
    int depth = levels.size() + 1;
    levels.push(new WalkLevel(fetcher, directory, path, settings.order, depth < settings.depth, firstPage));
  }

  @Override
  public boolean hasNext() {
    if (upcoming == null) {
      upcoming = advance();
    }
    return upcoming != null;
  }

  private @Nullable Visit advance() {
    fetcher.checkDeadline(visited);
    if (start != null) {
      start.requireDirectory();
      enter(settings.start, settings.start.path(), start);
      start = null;
    }
    for (WalkLevel level = levels.peek(); level != null; level = levels.peek()) {
      Entry entry = level.poll();
      if (entry != null) {
        RnsPath path = level.path().child(entry.binding().name());
        Visit visit = new Visit(path, entry, levels.size(), !level.hasNext());
        if (entry instanceof VirtualDirectory directory && levels.size() < settings.depth) {
          enter(Target.of(directory.id()), path, level.firstPageOf(directory));
        }
        visited++;
        return visit;
      }
      levels.pop();
    }
    return null;
  }

  @Override
  public Visit next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Visit visit = upcoming;
    upcoming = null;
    return visit;
  }

  /** Whether the deadline has passed, which is why methods throw. */
  public boolean isCutOff() {
    return fetcher.isCutOff();
  }

  /** Ends the walk; running listings finish on their own. */
  @Override
  public void close() {
    levels.clear();
    upcoming = null;
    fetcher.close();
  }

  /** What a walk does. Not thread-safe. */
  public static final class Settings {
    final NameService service;
    final Target start;
    Duration deadline = Duration.ofDays(1);
    Order order = Order.NAMES;
    int depth = Limits.PATH_DEPTH;
    int pageEntries = Limits.DEFAULT_PAGE_ENTRIES;
    int threads = 4;
    Ticker ticker = Ticker.SYSTEM;

    private Settings(NameService service, Target start) {
      this.service = service;
      this.start = start;
    }

    /** The most time from {@link #open} on; a day unless set. */
    public Settings deadline(Duration most) {
      deadline = most;
      return this;
    }

    /** The order of a directory's entries; {@link Order#NAMES} unless set. */
    public Settings order(Order wanted) {
      order = wanted;
      return this;
    }

    /**
     * How many levels are visited; all unless set, 1 for only the start's own entries.
     *
     * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is below 1
     */
    public Settings depth(int levels) {
      if (levels < 1) {
        throw new RnsException(RnsError.INVALID_REQUEST, "depth " + levels + " is below 1");
      }
      depth = Math.min(levels, Limits.PATH_DEPTH);
      return this;
    }

    /** The entries of one page; {@value Limits#DEFAULT_PAGE_ENTRIES} unless set. */
    public Settings pagesOf(int entries) {
      pageEntries = entries;
      return this;
    }

    Settings ticker(Ticker wanted) {
      ticker = wanted;
      return this;
    }

    /** Starts the walk; what is wrong with its start is thrown when the first entry is asked for. */
    public TreeWalk open() {
      return new TreeWalk(this);
    }
  }
}
