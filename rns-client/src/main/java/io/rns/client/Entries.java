package io.rns.client;

import io.rns.api.CallContext;
import io.rns.api.Cursor;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.NamePattern;
import io.rns.api.NameService;
import io.rns.api.Page;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All entries of a directory, in byte order of their names, fetched page by page as they are taken: memory for one
 * page, however large the directory.
 *
 * <p>The pages are not one snapshot: an entry that was there all the time is given once, one that came or went
 * meanwhile may or may not be. A directory that is moved or renamed meanwhile is followed. Immutable; each iterator
 * belongs to one thread and throws what {@link NameService#list} throws, and the refusals of a listing as
 * {@link RnsException}.
 */
public final class Entries implements Iterable<Entry> {
  private final NameService service;
  private final ListRequest first;

  private Entries(NameService service, ListRequest first) {
    this.service = service;
    this.first = first;
  }

  /** The entries of a directory; nothing is asked before the first is taken. */
  public static Entries of(NameService service, Target directory) {
    return new Entries(service, ListRequest.of(directory));
  }

  /** Only entries whose names match, as selected by the server. */
  public Entries matching(NamePattern pattern) {
    return new Entries(service, first.matching(pattern));
  }

  /**
   * The same in pages of another size.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} or {@link RnsError#LIMIT_EXCEEDED}
   */
  public Entries pagesOf(int entries) {
    return new Entries(service, first.pagesOf(entries));
  }

  @Override
  public Iterator<Entry> iterator() {
    return new PageByPage();
  }

  /** The request for the page after {@code page}: by identity, so that a directory that moves is followed. */
  static Optional<ListRequest> after(Page page, ListRequest request) {
    Optional<Cursor> next = page.next();
    return next.map(
        cursor -> new ListRequest(
            Target.of(page.directory().id()), request.pageSize(), Optional.of(cursor), request.pattern()));
  }

  private final class PageByPage implements Iterator<Entry> {
    private @Nullable ListRequest upcoming = first;
    private Iterator<Entry> page = Collections.emptyIterator();

    @Override
    public boolean hasNext() {
      while (!page.hasNext() && upcoming != null) {
        ListRequest request = upcoming;
        Page fetched = service.list(CallContext.ANONYMOUS, request).value().orThrow();
        upcoming = after(fetched, request).orElse(null);
        page = fetched.entries().iterator();
      }
      return page.hasNext();
    }

    @Override
    public Entry next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return page.next();
    }
  }
}
