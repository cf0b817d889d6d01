package io.rns.api;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.UpdateRequest.EntryChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/** Generates random requests on a small tree below one directory, with few names, so that conflicts are frequent. */
final class RandomRequests {
  private static final List<String> NAMES = List.of("a", "b", "A", "\u00e4\ud83d\ude00 &<");
  private static final int MAX_DEPTH = 3;
  private static final int MAX_ITEMS = 4;

  private final Random random;
  private final Target root;
  private final EntryId directory;
  /** Entries seen in answers, whether or not they still exist. */
  private final List<Entry> shown = new ArrayList<>();

  /**
   * Requests on the subtree of a directory.
   *
   * @param root the path of the directory
   * @param directory the directory
   */
  RandomRequests(Random random, Target root, Entry directory) {
    this.random = random;
    this.root = root;
    this.directory = directory.id();
    shown(directory);
  }

  /** Records an entry that later requests may refer to by id or version. */
  void shown(Entry entry) {
    shown.add(entry);
  }

  WriteRequest write() {
    boolean allOrNothing = oneIn(4);
    int kind = random.nextInt(10);
    if (kind < 5) {
      return new AddRequest(some(this::newEntry), oneIn(2), allOrNothing);
    }
    return kind < 8
        ? new UpdateRequest(some(this::change), allOrNothing)
        : new RemoveRequest(some(this::removal), allOrNothing);
  }

  QueryRequest query() {
    return new QueryRequest(some(this::target), oneIn(2));
  }

  ListRequest list() {
    Optional<Cursor> cursor = oneIn(4) ? Optional.of(new Cursor(knownId(), name())) : Optional.empty();
    Optional<NamePattern> pattern = oneIn(4) ? Optional.of(pattern()) : Optional.empty();
    return new ListRequest(target(), 1 + random.nextInt(4), cursor, pattern);
  }

  private NamePattern pattern() {
    return oneIn(2)
        ? NamePattern.glob(pick(List.of("*", "a*", "?", "[a-b]", "[!a]*", "*<", "\u00e4*")))
        : NamePattern.regex(pick(List.of(".*", "a|b", "[^A]", "..+")));
  }

  private NewEntry newEntry() {
    Target target = below();
    // An addition needs a name.
    Target named = target.path().isRoot() ? target.child(name()) : target;
    List<EndpointReference> references = oneIn(2) ? List.of() : some(this::reference);
    Precondition precondition = oneIn(2) ? Precondition.IF_ABSENT : precondition(named);
    return new NewEntry(named, references, metadata(), precondition);
  }

  private EntryChange change() {
    Target target = oneIn(40) ? Target.ROOT : below();
    boolean isRoot = target.equals(Target.ROOT);
    Optional<EntryName> name = isRoot || oneIn(2) ? Optional.of(name()) : Optional.empty();
    Optional<Target> parent = oneIn(2) ? Optional.of(parentFor(target)) : Optional.empty();
    Optional<List<EndpointReference>> references = oneIn(4) ? Optional.of(some(this::reference)) : Optional.empty();
    boolean nothingElse = name.isEmpty() && parent.isEmpty() && references.isEmpty();
    Optional<Metadata> metadata = nothingElse || oneIn(4) ? Optional.of(metadata()) : Optional.empty();
    return new EntryChange(target, name, parent, references, metadata, precondition(target));
  }

  /** A directory to move to, sometimes an invalid one. */
  private Target parentFor(Target moved) {
    if (oneIn(6)) {
      return oneIn(2) ? moved : moved.child(name());
    }
    return oneIn(4) ? root : target();
  }

  private Removal removal() {
    Target target = oneIn(40) ? Target.ROOT : below();
    return new Removal(target, oneIn(3), precondition(target));
  }

  private Precondition precondition(Target target) {
    if (target.equals(Target.ROOT) || !oneIn(4)) {
      return Precondition.NONE;
    }
    boolean byId = target.path().isRoot();
    List<Entry> candidates =
        shown.stream()
            .filter(e -> byId ? e.id().equals(target.start()) : e.binding().name().equals(target.path().name()))
            .toList();
    return candidates.isEmpty()
        ? Precondition.ifVersion(1 + random.nextInt(1_000))
        : Precondition
            .ifVersion(oneIn(3) ? pick(candidates).version() : candidates.get(candidates.size() - 1).version());
  }

  /** Excludes the directory itself, which stays. */
  private Target below() {
    Target target = target();
    boolean isDirectory = target.equals(root) || target.equals(Target.of(directory));
    return isDirectory ? target.child(name()) : target;
  }

  private Target target() {
    if (oneIn(4)) {
      return new Target(knownId(), path(random.nextInt(3)));
    }
    return new Target(root.start(), root.path().resolve(path(oneIn(20) ? 0 : 1 + random.nextInt(MAX_DEPTH))));
  }

  private RnsPath path(int depth) {
    RnsPath path = RnsPath.ROOT;
    for (int i = 0; i < depth; i++) {
      path = path.child(name());
    }
    return path;
  }

  private EntryId knownId() {
    // Prefer recent entries: older ids mostly no longer exist.
    int recent = Math.max(0, shown.size() - 30);
    return oneIn(5) ? pick(shown).id() : shown.get(recent + random.nextInt(shown.size() - recent)).id();
  }

  private EntryName name() {
    return EntryName.of(pick(NAMES));
  }

  private EndpointReference reference() {
    return EndpointReference.ofAddress("urn:r:" + random.nextInt(100));
  }

  private Metadata metadata() {
    return oneIn(2) ? Metadata.NONE : Metadata.of(Map.of("k" + random.nextInt(3), "v\n&" + random.nextInt(100)));
  }

  private <T> List<T> some(Supplier<T> one) {
    int count = oneIn(2) ? 1 : 1 + random.nextInt(MAX_ITEMS);
    List<T> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      items.add(one.get());
    }
    return items;
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }
}
