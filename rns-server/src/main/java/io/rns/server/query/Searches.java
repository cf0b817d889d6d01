package io.rns.server.query;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Cursor;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Page;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.iteration.ElementSource;
import io.rns.server.memory.RequestMemory;
import io.rns.share.FairPlaces;
import io.rns.wire.ReplyForm;
import io.rns.wire.resource.FoundEntry;
import io.rns.wire.resource.ResourceOperations;
import io.rns.wire.resource.SearchRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Searches for entries of a directory by a query: bounded in time, in entries looked at, and in how many there are at
 * once. Safe for use by many threads.
 */
public final class Searches {
  /** How long one search may take. */
  public static final Duration TIME = Duration.ofSeconds(5);

  /** How many entries are looked at before what was found is answered, with an iterator for the rest. */
  public static final int LOOKED_AT = 10_000;

  /** How many searches there are at once; of one caller at most two, so that one is left for others. */
  public static final int AT_ONCE = 3;

  /** Text of one answer: bounds its memory. */
  private static final long ANSWER_CHARS = 4 * 1_048_576;

  private static final int PAGE = 500;
  private static final long RETRY_MILLIS = 1_000;

  /** How long a search waits for others to end. */
  private static final Duration WAIT = Duration.ofSeconds(1);

  private final NameService service;
  private final Duration time;
  private final Duration wait;
  private final FairPlaces atOnce = new FairPlaces(AT_ONCE, 1);

  /** Searches in a namespace. */
  public Searches(NameService service) {
    this(service, TIME, WAIT);
  }

  /**
   * Searches in a namespace.
   *
   * @param time how long one search may take
   * @param wait how long a search waits for others to end
   */
  public Searches(NameService service, Duration time, Duration wait) {
    this.service = service;
    this.time = time;
    this.wait = wait;
  }

  /**
   * The first block of what a search finds.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the query is no good, {@link RnsError#LIMIT_EXCEEDED} if
   *         the search takes too much, {@link RnsError#BUSY} if there are too many
   */
  public Answer<Outcome<FoundEntries>> search(CallContext call, SearchRequest request, ReplyForm form) {
    acquire(call);
    try {
      Search search = new Search(request.query(), form);
      return request.names().isPresent()
          ? named(call, request.directory(), request.names().get(), search)
          : listed(call, request.directory(), Optional.empty(), Limits.DEFAULT_PAGE_ENTRIES, search, true);
    } finally {
      atOnce.giveBack(call.account(), 1);
    }
  }

  /** All that a search finds in a directory, to be gone through by an iterator. */
  public ElementSource course(EntryId directory, String query, ReplyForm form) {
    return (call, from, most) -> {
      acquire(call);
      try {
        return listed(call, Target.of(directory), from, most, new Search(query, form), false)
            .map(outcome -> outcome.map(found -> found));
      } finally {
        atOnce.giveBack(call.account(), 1);
      }
    };
  }

  private void acquire(CallContext call) {
    FairPlaces.Result result;
    try {
      result = atOnce.take(call.account(), 1, wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "the service is stopping", e);
    }
    switch (result) {
      case TAKEN -> {
      }
      case OWN_LIMIT ->
        throw RnsException.busy(
            "this caller searches " + atOnce.limit(call.account())
                + " times already, which is its own limit; come back in " + RETRY_MILLIS + " ms",
            RETRY_MILLIS);
      case NONE_FREE ->
        throw RnsException.busy(
            "there are " + AT_ONCE + " searches already; the limit is " + AT_ONCE + " searches; come back in "
                + RETRY_MILLIS + " ms",
            RETRY_MILLIS);
    }
  }

  /** One search while it runs. */
  private final class Search {
    final Guard guard = new Guard(time.toNanos());
    final EntryQuery query;
    final ReplyForm form;
    final List<FoundEntry> found = new ArrayList<>();
    private long chars;
    private int lookedAt;

    Search(String query, ReplyForm form) {
      this.query = new EntryQuery(query, guard);
      this.form = form;
    }

    void lookAt(Entry entry) {
      lookedAt++;
      query
          .evaluate(ResourceOperations.SEARCH.document(entry, form))
          .map(FoundEntry::parse)
          .ifPresent(
              result -> {
                // The entry goes with its page; what was found of it stays until it has been answered.
                RequestMemory.current().take(result.content().length());
                found.add(result);
                chars += result.content().length();
              });
    }

    boolean isLarge() {
      return chars > ANSWER_CHARS;
    }

    boolean isLong() {
      return lookedAt >= LOOKED_AT || guard.isHalfOver();
    }
  }

  private Answer<Outcome<FoundEntries>> named(
      CallContext call, Target directory, List<EntryName> names, Search search) {
    List<Target> targets = new ArrayList<>(names.size() + 1);
    targets.add(directory);
    names.forEach(name -> targets.add(directory.child(name)));
    Answer<List<Outcome<Entry>>> answer = service.query(call, new QueryRequest(targets, false));
    return answer.map(outcomes -> named(directory, outcomes.getFirst(), outcomes.subList(1, targets.size()), search));
  }

  private static Outcome<FoundEntries> named(
      Target directory, Outcome<Entry> parent, List<Outcome<Entry>> entries, Search search) {
    return switch (parent) {
      case Outcome.Refused<Entry>(Refusal refusal) -> Outcome.refused(refusal);
      case Outcome.Done<Entry>(VirtualDirectory found) -> {
        for (Outcome<Entry> entry : entries) {
          if (entry instanceof Outcome.Done<Entry> done) {
            search.lookAt(done.value());
          } else if (entry instanceof Outcome.Refused<Entry>(Refusal refusal)
              && refusal.error() != RnsError.NO_SUCH_ENTRY) {
            // What is missing is not found; what may not be read is no answer.
            yield Outcome.refused(refusal);
          }
        }
        yield Outcome.done(new FoundEntries(EntryId.ROOT, search.found, Optional.empty()));
      }
      case Outcome.Done<Entry> junction ->
        Outcome.refused(new Refusal.NotDirectory(directory, directory.path().depth()));
    };
  }

  /**
   * Goes through a directory until enough is found; if it may, it also stops when it has looked for long and has found
   * something.
   */
  private Answer<Outcome<FoundEntries>> listed(
      CallContext call, Target directory, Optional<Cursor> from, int most, Search search, boolean mayStop) {
    Optional<Cursor> next = from;
    while (true) {
      ListRequest request = new ListRequest(directory, PAGE, next, Optional.empty());
      Answer<Outcome<Page>> answer = service.list(call, request);
      if (answer.value() instanceof Outcome.Refused<Page> refused) {
        return answer.map(unused -> Outcome.refused(refused.refusal()));
      }
      Page page = answer.value().orThrow();
      EntryId id = page.directory().id();
      for (int i = 0; i < page.entries().size(); i++) {
        Entry entry = page.entries().get(i);
        search.lookAt(entry);
        boolean enough = search.found.size() >= most || search.isLarge() || (mayStop && search.isLong());
        boolean isLast = i == page.entries().size() - 1 && page.next().isEmpty();
        if (enough && !search.found.isEmpty() && !isLast) {
          Cursor behind = new Cursor(id, entry.binding().name());
          return answer.map(unused -> Outcome.done(new FoundEntries(id, search.found, Optional.of(behind))));
        }
      }
      if (page.next().isEmpty()) {
        return answer.map(unused -> Outcome.done(new FoundEntries(id, search.found, Optional.empty())));
      }
      next = page.next();
    }
  }
}
