package io.rns.client;

import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.ListRequest;
import io.rns.api.Page;
import io.rns.api.RnsPath;
import io.rns.api.SubtreeRequest.Order;
import io.rns.api.Target;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The entries of one directory on the way of a walk. */
final class WalkLevel {
  /** Directories of this level that are listed ahead. */
  private static final int DIRECTORIES_AHEAD = 8;

  private final PageFetcher fetcher;
  private final RnsPath path;
  private final Order order;
  private final boolean descends;
  private final Map<EntryId, PageFetcher.Fetch> ahead = new HashMap<>();

  /**
   * In line order: directories that wait until the names that sort before their lines are through; a chain of prefixes.
   */
  private final Deque<Entry> delayed = new ArrayDeque<>();

  private PageFetcher.@Nullable Fetch nextPage;
  private @Nullable ListRequest nextRequest;
  private List<Entry> page = List.of();
  private int at;
  private int scouted;

  WalkLevel(
      PageFetcher fetcher,
      Target directory,
      RnsPath path,
      Order order,
      boolean descends,
      PageFetcher.Fetch firstPage) {
    this.fetcher = fetcher;
    this.path = path;
    this.order = order;
    this.descends = descends;
    this.nextPage = firstPage;
  }

  RnsPath path() {
    return path;
  }

  boolean hasNext() {
    return !delayed.isEmpty() || peek() != null;
  }

  /** The next entry in the order of the walk, or null at the end. */
  @Nullable
  Entry poll() {
    while (true) {
      Entry next = peek();
      if (!delayed.isEmpty() && (next == null || !isBeforeLineOf(delayed.peek(), next))) {
        return delayed.pop();
      }
      if (next == null) {
        return null;
      }
      at++;
      if (order == Order.NAMES || !(next instanceof VirtualDirectory)) {
        return next;
      }
      delayed.push(next);
    }
  }

  private static boolean isBeforeLineOf(Entry directory, Entry later) {
    String line = directory.binding().name().toString();
    String name = later.binding().name().toString();
    return name.length() > line.length() && name.startsWith(line) && name.charAt(line.length()) < '/';
  }

  private @Nullable Entry peek() {
    while (at == page.size()) {
      if (!turn()) {
        return null;
      }
    }
    scout();
    return page.get(at);
  }

  private boolean turn() {
    if (nextPage == null && nextRequest != null) {
      nextPage = fetcher.start(nextRequest);
    }
    if (nextPage == null) {
      return false;
    }
    PageFetcher.Fetch fetched = nextPage;
    Optional<Page> arrived = fetched.page();
    nextRequest = arrived.flatMap(fetched::next).orElse(null);
    nextPage = nextRequest == null ? null : fetcher.startAhead(nextRequest);
    page = arrived.map(Page::entries).orElse(List.of());
    at = 0;
    scouted = 0;
    return true;
  }

  private void scout() {
    scouted = Math.max(scouted, at);
    while (descends && ahead.size() < DIRECTORIES_AHEAD && scouted < page.size()) {
      if (page.get(scouted) instanceof VirtualDirectory directory) {
        PageFetcher.Fetch fetch = fetcher.startAhead(fetcher.request(Target.of(directory.id())));
        if (fetch == null) {
          return;
        }
        ahead.put(directory.id(), fetch);
      }
      scouted++;
    }
  }

  /** The first page of a directory of this level, which may have been listed ahead. */
  PageFetcher.Fetch firstPageOf(VirtualDirectory directory) {
    PageFetcher.Fetch fetch = ahead.remove(directory.id());
    return fetch != null ? fetch : fetcher.start(fetcher.request(Target.of(directory.id())));
  }
}
