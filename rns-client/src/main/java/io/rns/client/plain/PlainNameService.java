package io.rns.client.plain;

import io.rns.api.AddRequest;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Cursor;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Outcome.Refused;
import io.rns.api.Page;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.UpdateRequest;
import io.rns.client.call.BoundedCache;
import io.rns.client.call.BoundedNameService;
import io.rns.client.call.Deadline;
import io.rns.client.call.Ticker;
import io.rns.client.http.HttpEndpoints;
import io.rns.client.plain.PlainTree.Reached;
import io.rns.client.plain.PlainTree.Where;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Asks any server of RNS 1.1, by nothing but its standards. What they cannot do in one step (moving between
 * directories, replacing references, preconditions on versions, all or nothing of several items) is refused before
 * anything is done, with {@link RnsError#UNKNOWN_OPERATION}.
 */
public final class PlainNameService implements BoundedNameService {
  /** Directories whose listing is kept for its next page. */
  private static final int LISTINGS = 8;

  private static final Duration LISTED_FOR = Duration.ofMinutes(1);

  /** The order of changes is unknown. */
  private static final Position NOWHERE = new Position(0, 0, 0);

  private final HttpEndpoints endpoints;
  private final ReferenceCalls calls;
  private final PlainTree tree;
  private final BoundedCache<EntryId, Reached<List<Entry>>> listings;

  /** A service whose root is {@code root}. */
  public PlainNameService(HttpEndpoints endpoints, EndpointReference root, Duration requestTimeout, Ticker ticker) {
    this.endpoints = endpoints;
    this.calls = new ReferenceCalls(endpoints, requestTimeout, ticker);
    this.tree = new PlainTree(calls, root, ticker);
    this.listings = new BoundedCache<>(LISTINGS, LISTED_FOR, ticker);
  }

  @Override
  public NameService until(Deadline deadline) {
    return new Attempt(deadline);
  }

  @Override
  public boolean isOpen() {
    return endpoints.isOpen();
  }

  @Override
  public void close() {
    endpoints.close();
  }

  private final class Attempt implements NameService {
    private final Deadline deadline;

    Attempt(Deadline deadline) {
      this.deadline = deadline;
    }

    @Override
    public Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
      return Answer.of(new PlainQuery(tree, calls, deadline).ask(request), NOWHERE);
    }

    @Override
    public Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
      Where where = tree.directory(request.directory());
      Optional<Reached<List<Entry>>> kept = Optional.empty();
      if (request.cursor().isPresent()) {
        Outcome<DirectoryPlace> place = tree.resolve(where, true, deadline);
        if (place instanceof Refused<DirectoryPlace> refused) {
          return Answer.of(Outcome.refused(refused.refusal()), NOWHERE);
        }
        if (!place.orThrow().id().equals(request.cursor().get().directory())) {
          throw new RnsException(
              RnsError.INVALID_CURSOR,
              "the cursor was made by a listing of another directory than " + request.directory());
        }
        kept = listings.get(place.orThrow().id());
      }
      Outcome<Reached<List<Entry>>> all =
          kept.isPresent() ? Outcome.done(kept.get()) : PlainListing.of(tree, calls, where, deadline);
      if (all instanceof Refused<Reached<List<Entry>>> refused) {
        return Answer.of(Outcome.refused(refused.refusal()), NOWHERE);
      }
      Page page = page(request, all.orThrow());
      if (page.next().isPresent()) {
        listings.put(all.orThrow().place().id(), all.orThrow());
      }
      return Answer.of(Outcome.done(page), NOWHERE);
    }

    @Override
    public Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
      return write(() -> new PlainAdd(tree, calls, deadline).add(request));
    }

    @Override
    public Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
      return write(() -> new PlainUpdate(tree, calls, deadline).update(request));
    }

    @Override
    public Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
      return write(() -> new PlainRemove(tree, calls, deadline).remove(request));
    }

    private Answer<List<Outcome<Entry>>> write(Supplier<List<Outcome<Entry>>> written) {
      try {
        return Answer.of(written.get(), NOWHERE);
      } finally {
        // What is read from now on shows what was written, also after an error.
        listings.clear();
      }
    }

    @Override
    public void close() {
      PlainNameService.this.close();
    }
  }

  private static Page page(ListRequest request, Reached<List<Entry>> all) {
    List<Entry> entries = new ArrayList<>();
    for (Entry entry : all.value()) {
      boolean seen =
          request.cursor().isPresent() && entry.binding().name().compareTo(request.cursor().get().after()) <= 0;
      if (!seen && request.pattern().map(pattern -> pattern.matches(entry.binding().name())).orElse(true)) {
        if (entries.size() == request.pageSize()) {
          Cursor next = new Cursor(all.place().id(), entries.get(entries.size() - 1).binding().name());
          return new Page(all.place().entry(), entries, Optional.of(next));
        }
        entries.add(entry);
      }
    }
    return new Page(all.place().entry(), entries, Optional.empty());
  }
}
