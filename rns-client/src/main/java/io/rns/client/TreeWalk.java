package io.rns.client;

import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryFilter;
import io.rns.api.EntryId;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage.Visit;
import io.rns.api.SubtreeRequest;
import io.rns.api.SubtreeRequest.Order;
import io.rns.api.Target;
import io.rns.client.call.Ticker;
import io.rns.client.subtree.SubtreeStream;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Everything below a directory, each directory before its entries, in a fixed order. A server of ours reads it in one
 * request ({@link SubtreeStream}), and goes on behind the last entry after a broken connection. Of other servers, and
 * of a start by identity, directories are listed one by one; those that come next are listed ahead by a few threads,
 * and memory is bounded by a page per level and {@value PageFetcher#MOST_AHEAD} pages ahead.
 *
 * <p>The walk is no snapshot: an entry is visited exactly once if it exists throughout and neither it nor a directory
 * above it moves meanwhile; others may be visited or not. A directory that is removed before it is listed counts as
 * empty. Belongs to one thread. Methods throw what {@link NameService#list} throws, and {@link RnsException} with
 * {@link RnsError#NO_SUCH_ENTRY} or {@link RnsError#NOT_DIRECTORY} if the start is no directory, with
 * {@link RnsError#TIMEOUT} once the deadline has passed.
 */
public final class TreeWalk implements Iterator<Visit>, AutoCloseable {
  private final PageFetcher fetcher;
  private final Settings settings;
  private final Deque<WalkLevel> levels = new ArrayDeque<>();
  private @Nullable Visit upcoming;
  private long visited;

  /** What reads all of it at once; null if nothing does, as far as is known. */
  private @Nullable SubtreeStream stream;

  /** The first page of the start, until it is entered. */
  private PageFetcher.@Nullable Fetch start;

  private TreeWalk(Settings settings) {
    this.settings = settings;
    this.fetcher = new PageFetcher(settings);
    this.stream = settings.stream();
    if (stream == null) {
      list();
    }
  }

  private void list() {
    start = fetcher.start(fetcher.request(settings.start));
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
    if (stream != null) {
      SubtreeStream.Step step = stream.next(fetcher.deadline());
      if (step instanceof SubtreeStream.Entry entry) {
        visited++;
        return entry.visit();
      }
      if (step instanceof SubtreeStream.End) {
        return null;
      }
      // If it is late, the deadline has passed.
      fetcher.checkDeadline(visited);
      stream.close();
      stream = null;
      list();
    }
    Visit next = listed();
    while (next != null && !settings.filter.matches(next.entry())) {
      fetcher.checkDeadline(visited);
      next = listed();
    }
    return next;
  }

  private @Nullable Visit listed() {
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

  /** Whether the next entry is known to be there, so that {@link #next} does not wait for it. */
  public boolean isReady() {
    return upcoming != null || (stream != null && stream.isReady());
  }

  /** Whether the deadline has passed, which is why methods throw. */
  public boolean isCutOff() {
    return fetcher.isCutOff();
  }

  /** The entries that are left as a stream, to be closed; it is the walk, and closes it. */
  public Stream<Visit> stream() {
    int properties = Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, properties), false).onClose(this::close);
  }

  /** Ends the walk; running listings finish on their own. */
  @Override
  public void close() {
    levels.clear();
    upcoming = null;
    if (stream != null) {
      stream.close();
    }
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

    EntryFilter filter = EntryFilter.ALL;

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

    /** The entries that are visited; all unless set. All directories are searched, wherever that is done. */
    public Settings matching(EntryFilter wanted) {
      filter = wanted;
      return this;
    }

    /** The entries of one page of a listing; {@value Limits#DEFAULT_PAGE_ENTRIES} unless set. */
    public Settings pagesOf(int entries) {
      pageEntries = entries;
      return this;
    }

    private @Nullable SubtreeStream stream() {
      boolean fromRoot = start.start().equals(EntryId.ROOT);
      if (!fromRoot || !(service instanceof SessionNameService session)) {
        return null;
      }
      SubtreeRequest request =
          new SubtreeRequest(start, order, depth, filter, Limits.DEFAULT_PAGE_ENTRIES, Optional.empty());
      return session.subtree(request).orElse(null);
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
