package io.rns.client.plain;

import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryName;
import io.rns.api.Outcome;
import io.rns.api.Outcome.Refused;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal.NoSuchEntry;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.call.Deadline;
import io.rns.client.message.StandardCall;
import io.rns.client.plain.PlainTree.Reached;
import io.rns.client.plain.PlainTree.Spot;
import io.rns.client.plain.PlainTree.Where;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.resource.Property;
import io.rns.wire.resource.PropertyValues;
import io.rns.wire.rns.EntryResponse;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks up entries: names of one directory in one message, and of each directory found its properties. */
final class PlainQuery {
  /** Names of one message: what known servers take. */
  static final int NAMES = 1_000;

  private static final List<Property> TIMES =
      List.of(Property.ELEMENT_COUNT, Property.CREATE_TIME, Property.MODIFICATION_TIME);

  private final PlainTree tree;
  private final ReferenceCalls calls;
  private final Deadline deadline;

  PlainQuery(PlainTree tree, ReferenceCalls calls, Deadline deadline) {
    this.tree = tree;
    this.calls = calls;
    this.deadline = deadline;
  }

  /** Targets that one message can ask for. */
  private record Group(Target start, RnsPath directory, boolean byIdentity) {}

  /** An item of the request, and its place among them. */
  private record Item(int index, Target target, Spot spot) {}

  /** Looks up the targets of a request. */
  List<Outcome<Entry>> ask(QueryRequest request) {
    List<Outcome<Entry>> outcomes = look(request.targets());
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Done<Entry> done && done.value() instanceof VirtualDirectory directory) {
        outcomes.set(i, withProperties(request.targets().get(i), directory, request.counts()));
      }
    }
    return outcomes;
  }

  /** Looks up entries by lookups alone, without the properties of directories. */
  List<Outcome<Entry>> look(List<Target> targets) {
    @Nullable
    Outcome<Entry>[] outcomes = outcomes(targets.size());
    Map<Group, List<Item>> groups = new LinkedHashMap<>();
    for (int i = 0; i < targets.size(); i++) {
      Target target = targets.get(i);
      Outcome<Optional<Spot>> spot = tree.spot(target);
      if (spot instanceof Refused<Optional<Spot>> refused) {
        outcomes[i] = Outcome.refused(refused.refusal());
      } else if (spot.orThrow().isEmpty()) {
        outcomes[i] = Outcome.done(PlainEntries.root());
      } else {
        Item item = new Item(i, target, spot.orThrow().get());
        groups.computeIfAbsent(group(target), group -> new ArrayList<>()).add(item);
      }
    }
    for (List<Item> items : groups.values()) {
      for (int from = 0; from < items.size(); from += NAMES) {
        look(items.subList(from, Math.min(items.size(), from + NAMES)), outcomes);
      }
    }
    return Arrays.asList(outcomes);
  }

  @SuppressWarnings("unchecked") // an array of a generic type
  private static @Nullable Outcome<Entry>[] outcomes(int size) {
    return (Outcome<Entry>[]) new Outcome<?>[size];
  }

  private static Group group(Target target) {
    return target.path().isRoot()
        ? new Group(target, RnsPath.ROOT, true)
        : new Group(Target.of(target.start()), target.path().parent(), false);
  }

  private void look(List<Item> items, @Nullable Outcome<Entry>[] outcomes) {
    Where where = items.get(0).spot().directory();
    List<EntryName> names = items.stream().map(item -> item.spot().name()).toList();
    Outcome<Reached<List<EntryResponse>>> answer = tree.ask(where, StandardCall.lookup(names), deadline);
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      outcomes[item.index()] =
          answer instanceof Refused<Reached<List<EntryResponse>>> refused
              ? Outcome.refused(PlainTree.of(refused.refusal(), item.target()))
              : entry(answer.orThrow().place(), item, answer.orThrow().value().get(i));
    }
  }

  private Outcome<Entry> entry(DirectoryPlace directory, Item item, EntryResponse response) {
    Target target = item.target();
    Outcome<Entry> found = tree.entry(directory, item.spot().name(), response, target, target.path().depth());
    Optional<Entry> entry = PlainTree.found(found);
    boolean isAnother =
        entry.isPresent() && item.spot().id().isPresent() && !item.spot().id().get().equals(entry.get().id());
    return isAnother ? Outcome.refused(new NoSuchEntry(target, 0)) : found;
  }

  /** The directory with its times, and its number of entries if that is wanted, as far as the server reports them. */
  private Outcome<Entry> withProperties(Target target, VirtualDirectory found, boolean counts) {
    Where where = tree.directory(target);
    // No lookup has shown that the root is there.
    boolean mustAnswer = counts || found.isRoot();
    Optional<PropertyValues> told = properties(where, mustAnswer);
    Instant created = PlainEntries.UNTOLD;
    Instant modified = PlainEntries.UNTOLD;
    long entries = -1;
    if (told.isPresent()) {
      created = time(told.get(), Property.CREATE_TIME);
      modified = time(told.get(), Property.MODIFICATION_TIME);
      entries = counts ? count(told.get()) : -1;
    }
    if (mustAnswer && (told.isEmpty() || (counts && entries < 0))) {
      Outcome<Reached<List<Entry>>> all = PlainListing.of(tree, calls, where, deadline);
      if (all instanceof Refused<Reached<List<Entry>>> refused) {
        return Outcome.refused(refused.refusal());
      }
      entries = counts ? all.orThrow().value().size() : -1;
    }
    return Outcome.done(
        new VirtualDirectory(
            found.place(), found.id(), found.version(), created, modified, found.metadata(), entries));
  }

  private Optional<PropertyValues> properties(Where where, boolean mustAnswer) {
    try {
      return PlainTree.found(tree.ask(where, StandardCall.properties(TIMES), deadline)).map(Reached::value);
    } catch (RnsException e) {
      if (mustAnswer && e.error().kind() == RnsError.Kind.TRANSIENT) {
        throw e;
      }
      // The entry was found: an error of the server it leads to does not change that.
      return Optional.empty();
    }
  }

  private static Optional<String> value(PropertyValues values, Property property) {
    return values.values().stream()
        .filter(value -> value.property() == property)
        .findFirst()
        .flatMap(PropertyValues.Value::text);
  }

  /** The reported number of entries of a directory; -1 without one. */
  static long count(PropertyValues values) {
    try {
      return value(values, Property.ELEMENT_COUNT).map(Long::parseLong).orElse(-1L);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static Instant time(PropertyValues values, Property property) {
    try {
      return value(values, property)
          .map(text -> text.matches(".*(Z|[+-]\\d\\d:\\d\\d)") ? text : text + "Z")
          .map(text -> OffsetDateTime.parse(text).toInstant())
          .orElse(PlainEntries.UNTOLD);
    } catch (DateTimeException e) {
      return PlainEntries.UNTOLD;
    }
  }
}
