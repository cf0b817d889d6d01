package io.rns.server.namespace;

import io.rns.api.AddRequest;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.api.WriteRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.store.AnswerColumn;
import io.rns.server.store.AnswerColumn.DoneItem;
import io.rns.server.store.AnswerColumn.ItemOutcome;
import io.rns.server.store.RequestLogTable.AnsweredRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A request whose id this group knows from another part of the same batch, or from the same request in other words:
 * content has moved to another server group between the two, or from there, so that the batch is divided in another way
 * and paths begin elsewhere. Each item that was done before gets its outcome again, and only the others are applied.
 * What was done is known by the identity of its directory, which a request may name in several ways, and its name
 * there.
 */
final class PartlyAnswered {
  private final WriteRequest request;
  /** By item, what was done before. */
  private final Map<Integer, Outcome<Entry>> done = new TreeMap<>();
  /** What was done to items that the request does not have, as their directories are elsewhere by now, or refused. */
  private final List<ItemOutcome> others = new ArrayList<>();

  /** What the other items have come to. */
  private List<Outcome<Entry>> applied = List.of();

  private PartlyAnswered(WriteRequest request) {
    this.request = request;
  }

  /**
   * Whether a request may have something in common with an answered one.
   *
   * @param resembles whether they differ in directories at most
   */
  static boolean isPossible(WriteRequest request, AnsweredRequest former, boolean resembles) {
    return isOfCaller(request)
        && (resembles || (!request.allOrNothing()
            && (request.size() > 1 || AnswerColumn.items(former.answer()).size() > 1)));
  }

  /** Whether an answer lacks what other groups had, which may be here by now, or has more than the request. */
  static boolean isInParts(WriteRequest request, AnsweredRequest former) {
    if (!isOfCaller(request) || request.allOrNothing()) {
      return false;
    }
    List<ItemOutcome> items = AnswerColumn.items(former.answer());
    return items.size() > request.size() || items.stream().anyMatch(ItemOutcome::isElsewhere);
  }

  private static boolean isOfCaller(WriteRequest request) {
    return request instanceof AddRequest || request instanceof UpdateRequest || request instanceof RemoveRequest;
  }

  /**
   * What a request has in common with an answered one.
   *
   * @return null if nothing was done that it has, and something that it would have to have
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it has only some of that: it was divided by a map that is too
   *         old
   */
  static @Nullable PartlyAnswered of(EntrySource source, WriteRequest request, AnsweredRequest former) {
    PartlyAnswered parts = new PartlyAnswered(request);
    List<ItemOutcome> known = AnswerColumn.items(former.answer());
    List<ItemOutcome> formerly = new ArrayList<>(known.stream().filter(each -> each.done().isPresent()).toList());
    List<Integer> homeless = new ArrayList<>();
    List<Target> away = new ArrayList<>();
    for (int i = 0; i < request.size(); i++) {
      Target target = parts.target(i);
      if (target.path().isRoot()) {
        parts.take(i, formerly, item -> item.entry().equals(target.start()));
        continue;
      }
      Resolution within = Resolution.ofContent(source, new Target(target.start(), target.path().parent()));
      if (within instanceof Resolution.Found found) {
        long directory = found.entry().id().value();
        parts.take(i, formerly, item -> isAt(item, target) && item.directory() == directory);
        if (!parts.done.containsKey(i) && isMissing(known, directory, WriteRules.target(request, i))) {
          return null;
        }
      } else if (within instanceof Resolution.Missing) {
        homeless.add(i);
      } else {
        away.add(target);
      }
    }
    // Nothing can be done to them now: their directories have other names since, or are gone.
    homeless.forEach(i -> parts.take(i, formerly, item -> isAt(item, parts.target(i))));
    parts.others.addAll(formerly);
    known.stream().filter(each -> each.refusal().isPresent() && !each.isElsewhere()).forEach(parts.others::add);
    boolean isWhole = !request.allOrNothing() || parts.done.isEmpty() || parts.done.size() == request.size();
    // A path may lead to a directory of this group by way of another one, which is asked then.
    boolean lacksSome = formerly.stream().map(each -> each.done().orElseThrow())
        .anyMatch(item -> isHere(source, item) && away.stream().noneMatch(target -> isAt(item, target)));
    if (isWhole && !lacksSome) {
      return parts;
    }
    if (parts.done.isEmpty()) {
      return null;
    }
    throw new RnsException(
        RnsError.UNAVAILABLE, "content has just moved between server groups, and the batch with it; retry");
  }

  /** Whether a part with others of the same directory did not have an item: a group gets all of a directory. */
  private static boolean isMissing(List<ItemOutcome> known, long directory, Target item) {
    boolean hasOthers =
        known.stream().anyMatch(each -> each.done().filter(done -> done.directory() == directory).isPresent());
    return hasOthers && known.stream().flatMap(each -> each.refusal().stream()).map(Refusal::target)
        .noneMatch(refused -> refused.path().isRoot() || item.path().isRoot()
            || refused.path().name().equals(item.path().name()));
  }

  private static boolean isHere(EntrySource source, DoneItem item) {
    return item.directory() != 0
        && Resolution.find(source, new EntryId(item.directory())) instanceof VirtualDirectory directory
        && directory.owner().isEmpty() && Resolution.isInTree(source, directory);
  }

  /** What the entry of an item is called once it is done. */
  private Target target(int item) {
    return request instanceof UpdateRequest update
        ? destination(update.changes().get(item))
        : WriteRules.target(request, item);
  }

  private static boolean isAt(DoneItem known, Target target) {
    return known.name().equals(target.path().name().toString());
  }

  /** Takes what was done to an item from the list. */
  private void take(int item, List<ItemOutcome> formerly, Predicate<DoneItem> isSame) {
    formerly.stream().filter(each -> each.done().filter(isSame.and(this::isReadable)).isPresent()).findFirst()
        .ifPresent(found -> {
          done.put(item, Outcome.done(found.entry(request, item)));
          formerly.remove(found);
        });
  }

  private boolean isReadable(DoneItem known) {
    return !known.needsRequest() || request instanceof AddRequest;
  }

  /** Where an entry is after a change; as the target names it, if that is by identity. */
  private static Target destination(EntryChange change) {
    Target target = change.target();
    if (target.path().isRoot()) {
      return target;
    }
    EntryName name = change.name().orElse(target.path().name());
    return change.parent().orElseGet(() -> new Target(target.start(), target.path().parent())).child(name);
  }

  /**
   * Applies the items that were not done before.
   *
   * @param rules applies a request
   * @return the outcomes of all
   */
  List<Outcome<Entry>> complete(Function<WriteRequest, List<Outcome<Entry>>> rules) {
    List<Integer> missing = IntStream.range(0, request.size()).filter(i -> !done.containsKey(i)).boxed().toList();
    Map<Integer, Outcome<Entry>> outcomes = new TreeMap<>(done);
    if (!missing.isEmpty()) {
      applied = rules.apply(only(missing));
      for (int n = 0; n < missing.size(); n++) {
        outcomes.put(missing.get(n), applied.get(n));
      }
    }
    return List.copyOf(outcomes.values());
  }

  /** The outcomes of those that were not done before. */
  List<Outcome<Entry>> applied() {
    return applied;
  }

  private WriteRequest only(List<Integer> items) {
    return switch (request) {
      case AddRequest add ->
        new AddRequest(items.stream().map(add.entries()::get).toList(), add.parents(), add.allOrNothing());
      case UpdateRequest update ->
        new UpdateRequest(items.stream().map(update.changes()::get).toList(), update.allOrNothing());
      case RemoveRequest remove ->
        new RemoveRequest(items.stream().map(remove.removals()::get).toList(), remove.allOrNothing());
      default -> throw new IllegalStateException("not a batch: " + request);
    };
  }

  /** Whether one of two answers to a request has something that was done, and the other does not. */
  static boolean hasMore(AnsweredRequest one, AnsweredRequest other) {
    return !more(one, other).isEmpty();
  }

  /** Both answers in one. */
  static AnsweredRequest merged(AnsweredRequest known, AnsweredRequest other) {
    return new AnsweredRequest(
        known.key(), known.fingerprint(), AnswerColumn.with(known.answer(), more(other, known)));
  }

  private static List<ItemOutcome> more(AnsweredRequest one, AnsweredRequest other) {
    Set<Optional<DoneItem>> known =
        AnswerColumn.items(other.answer()).stream().map(ItemOutcome::done).collect(Collectors.toSet());
    return AnswerColumn.items(one.answer()).stream()
        .filter(each -> each.done().isPresent() && !known.contains(each.done())).toList();
  }

  /** The answer that is kept from now on. */
  byte[] kept(byte[] answer) {
    return AnswerColumn.with(answer, others);
  }
}
