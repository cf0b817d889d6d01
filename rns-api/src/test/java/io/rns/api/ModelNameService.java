package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The reference implementation of the contract: one lock, maps in memory, one request after the other. Real services
 * are compared with it, and it stands in for a server in tests of other components.
 *
 * <p>It keeps every request id for ever and copies its tree for every all-or-nothing batch: suitable for small trees
 * only.
 */
public class ModelNameService implements NameService {
  private static final int GROUP = 0;
  private static final int EPOCH = 1;

  private final InstantSource clock;
  private final Map<RequestId, Remembered> answers = new HashMap<>();
  private ModelTree tree;

  private record Remembered(WriteRequest request, Answer<List<Outcome<Entry>>> answer) {}

  /** An empty tree on the system clock. */
  public ModelNameService() {
    this(InstantSource.system());
  }

  /** An empty tree that takes its timestamps, truncated to microseconds, from {@code clock}. */
  public ModelNameService(InstantSource clock) {
    this.clock = clock;
    this.tree = new ModelTree(now());
  }

  @Override
  public synchronized Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request) {
    Instant now = now();
    return once(
        call,
        request,
        () -> batch(
            request.entries(),
            request.allOrNothing(),
            AddRequest.NewEntry::target,
            item -> tree.add(item, request.parents(), now)));
  }

  @Override
  public synchronized Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request) {
    Instant now = now();
    return once(
        call,
        request,
        () -> batch(
            request.changes(),
            request.allOrNothing(),
            UpdateRequest.EntryChange::target,
            item -> tree.update(item, now)));
  }

  @Override
  public synchronized Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request) {
    return once(
        call,
        request,
        () -> batch(
            request.removals(),
            request.allOrNothing(),
            RemoveRequest.Removal::target,
            item -> tree.remove(item)));
  }

  @Override
  public synchronized Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request) {
    List<Outcome<Entry>> outcomes = new ArrayList<>();
    for (Target target : request.targets()) {
      outcomes.add(outcome(() -> request.counts() ? tree.counted(tree.find(target)) : tree.find(target)));
    }
    return answer(List.copyOf(outcomes));
  }

  @Override
  public synchronized Answer<Outcome<Page>> list(CallContext call, ListRequest request) {
    return answer(outcome(() -> page(tree.findDirectory(request.directory()), request)));
  }

  private Page page(Entry.VirtualDirectory directory, ListRequest request) {
    request
        .cursor()
        .filter(cursor -> !cursor.directory().equals(directory.id()))
        .ifPresent(
            cursor -> {
              throw new RnsException(
                  RnsError.INVALID_CURSOR,
                  "the cursor is of directory " + cursor.directory() + ", not of " + request.directory());
            });
    List<Entry> found = new ArrayList<>();
    for (Entry entry : tree.children(directory.id(), request.cursor().map(Cursor::after).orElse(null))) {
      EntryName name = entry.binding().name();
      if (request.pattern().map(pattern -> pattern.matches(name)).orElse(true)) {
        if (found.size() == request.pageSize()) {
          EntryName last = found.get(found.size() - 1).binding().name();
          return new Page(directory, found, Optional.of(new Cursor(directory.id(), last)));
        }
        found.add(entry);
      }
    }
    return new Page(directory, found, Optional.empty());
  }

  private interface Write {
    Answer<List<Outcome<Entry>>> apply();
  }

  private Answer<List<Outcome<Entry>>> once(CallContext call, WriteRequest request, Write write) {
    if (call.requestId().isEmpty()) {
      return write.apply();
    }
    RequestId id = call.requestId().get();
    Remembered remembered = answers.get(id);
    if (remembered == null) {
      remembered = new Remembered(request, write.apply());
      answers.put(id, remembered);
    } else if (!remembered.request().equals(request)) {
      throw new RnsException(RnsError.REQUEST_ID_REUSED, "request id '" + id + "' was used before for another request");
    }
    return remembered.answer();
  }

  private <I> Answer<List<Outcome<Entry>>> batch(
      List<I> items, boolean allOrNothing, Function<I, Target> target, Function<I, Entry> apply) {
    ModelTree before = allOrNothing ? tree.copy() : tree;
    List<Outcome<Entry>> outcomes = new ArrayList<>();
    for (I item : items) {
      Outcome<Entry> outcome = outcome(() -> apply.apply(item));
      if (allOrNothing && outcome instanceof Outcome.Refused) {
        tree = before;
        return answer(onlyRefused(items, outcomes.size(), outcome, target));
      }
      outcomes.add(outcome);
    }
    return answer(List.copyOf(outcomes));
  }

  private static <I> List<Outcome<Entry>> onlyRefused(
      List<I> items, int refused, Outcome<Entry> outcome, Function<I, Target> target) {
    List<Outcome<Entry>> outcomes = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      outcomes.add(i == refused ? outcome : Outcome.refused(new Refusal.NotApplied(target.apply(items.get(i)))));
    }
    return List.copyOf(outcomes);
  }

  private interface Item<T> {
    T apply();
  }

  private static <T> Outcome<T> outcome(Item<T> item) {
    try {
      return Outcome.done(item.apply());
    } catch (ModelTree.Refusing e) {
      return Outcome.refused(e.refusal());
    }
  }

  private <T> Answer<T> answer(T value) {
    return Answer.of(value, new Position(GROUP, EPOCH, tree.sequence()));
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /** Does nothing: the tree stays readable. */
  @Override
  public void close() {}
}
