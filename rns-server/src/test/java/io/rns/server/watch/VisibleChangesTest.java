package io.rns.server.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.Change;
import io.rns.api.Change.Kind;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.ModelNameService;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.permission.AccessControl;
import io.rns.permission.AccessReader;
import io.rns.replication.partition.Partition;
import io.rns.server.store.PlacedChange;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Watchers receive changes of entries whose names they may see, by the rules of the moment. */
class VisibleChangesTest {
  private static final Caller BOB = new Caller("local:bob", Set.of());

  private final ModelNameService tree = new ModelNameService();
  private final AccessReader access =
      new AccessReader(
          new AccessControl(new AccessPolicy(AccessMode.CLOSED, Set.of("local:admin")), false), () -> tree);
  private final VisibleChanges visible = new VisibleChanges(access, BOB, this::place);

  @BeforeEach
  void make() {
    set("/", "anyone=read");
    directory("/open", "anyone=list,read");
    directory("/listed", "anyone=list");
    directory("/closed");
  }

  private static Metadata rules(String... texts) {
    return Metadata.NONE.with(
        new AccessRules(Optional.empty(), Optional.of(Stream.of(texts).map(AccessRule::parse).toList())));
  }

  private void set(String path, String... texts) {
    tree.update(CallContext.SERVICE, UpdateRequest.of(EntryChange.metadata(Target.of(path), rules(texts))));
  }

  private void directory(String path, String... texts) {
    tree.add(
        CallContext.SERVICE,
        AddRequest.of(new NewEntry(Target.of(path), List.of(), rules(texts), Precondition.IF_ABSENT)));
  }

  private void inheriting(String path) {
    tree.add(CallContext.SERVICE, AddRequest.of(NewEntry.directory(Target.of(path))));
  }

  private EntryId id(String path) {
    return tree.query(CallContext.SERVICE, QueryRequest.of(Target.of(path))).value().getFirst().orThrow().id();
  }

  private void move(String path, String to) {
    RnsPath there = RnsPath.parse(to);
    tree.update(
        CallContext.SERVICE,
        UpdateRequest.of(EntryChange.move(Target.of(path), new Target(EntryId.ROOT, there.parent()), there.name())))
        .value().getFirst().orThrow();
    visible.again();
  }

  private void remove(String path) {
    tree.remove(CallContext.SERVICE, RemoveRequest.of(Removal.recursive(Target.of(path)))).value().getFirst().orThrow();
    visible.again();
  }

  /** Where a directory is, as its entries say. */
  private Optional<RnsPath> place(EntryId directory) {
    Deque<EntryName> names = new ArrayDeque<>();
    EntryId at = directory;
    while (!at.equals(EntryId.ROOT)) {
      Outcome<Entry> found = tree.query(CallContext.SERVICE, QueryRequest.of(Target.of(at))).value().getFirst();
      if (!(found instanceof Outcome.Done<Entry>(Entry entry))) {
        return Optional.empty();
      }
      names.addFirst(entry.binding().name());
      at = entry.binding().parent();
    }
    return Optional.of(RnsPath.of(List.copyOf(names)));
  }

  private static Change change(Kind kind, String path, @Nullable String old) {
    return new Change(
        new Position(0, 1, 2), Instant.EPOCH, kind, new EntryId(9), RnsPath.parse(path),
        Optional.ofNullable(old).map(RnsPath::parse));
  }

  /** Of a change in the directory of a path as it is now. */
  private Optional<Change> seen(Kind kind, String path, @Nullable String old) {
    return visible.of(
        new PlacedChange(
            change(kind, path, old), id(parent(path)), Optional.ofNullable(old).map(each -> id(parent(each)))));
  }

  private static String parent(String path) {
    return RnsPath.parse(path).parent().toString();
  }

  /** Whether an entry is seen that was added when its directory had the path that it names. */
  private boolean sees(EntryId directory, String path) {
    return visible.of(new PlacedChange(change(Kind.ADDED, path, null), directory)).isPresent();
  }

  @Test
  void namesThatMayBeListedOrReadAreSeen() {
    for (Kind kind : List.of(Kind.ADDED, Kind.CHANGED, Kind.REMOVED)) {
      assertThat(seen(kind, "/open/x", null)).contains(change(kind, "/open/x", null));
      assertThat(seen(kind, "/listed/x", null)).isPresent();
      assertThat(seen(kind, "/closed/x", null)).isEmpty();
      assertThat(seen(kind, "/closed", null)).isPresent();
    }
    assertThat(visible.of(new PlacedChange(change(Kind.CHANGED, "/", null), EntryId.ROOT))).isPresent();
  }

  @Test
  void aMoveAcrossTheLineIsABeginningOrAnEnd() {
    assertThat(seen(Kind.MOVED, "/open/y", "/listed/x")).contains(change(Kind.MOVED, "/open/y", "/listed/x"));
    assertThat(seen(Kind.MOVED, "/open/y", "/closed/x")).contains(change(Kind.ADDED, "/open/y", null));
    assertThat(seen(Kind.MOVED, "/closed/y", "/open/x")).contains(change(Kind.REMOVED, "/open/x", null));
    assertThat(seen(Kind.MOVED, "/closed/y", "/closed/x")).isEmpty();
  }

  @Test
  void whatWasInARemovedDirectoryIsForAdministratorsOfTheRoot() {
    inheriting("/open/gone");
    inheriting("/open/gone/below");
    EntryId gone = id("/open/gone");
    EntryId below = id("/open/gone/below");
    remove("/open/gone");
    directory("/open/gone", "anyone=list,read");
    set("/open", "anyone=list,read", "local:bob=admin");
    visible.again();
    assertThat(sees(gone, "/open/gone/x")).isFalse();
    assertThat(sees(below, "/open/gone/below/x")).isFalse();
    assertThat(sees(id("/open/gone"), "/open/gone/x")).isTrue();
    set("/", "anyone=read", "local:bob=admin");
    visible.again();
    assertThat(sees(gone, "/open/gone/x")).isTrue();
    assertThat(sees(below, "/open/gone/below/x")).isTrue();
  }

  @Test
  void aClosedDirectoryStaysClosedUnderAnotherName() {
    directory("/closed/inner");
    EntryId closed = id("/closed");
    EntryId inner = id("/closed/inner");
    move("/closed", "/renamed");
    assertThat(sees(closed, "/closed/x")).isFalse();
    assertThat(sees(inner, "/closed/inner/x")).isFalse();
    // Whoever takes its place gets nothing of its past.
    directory("/closed", "local:bob=admin");
    directory("/closed/inner", "local:bob=admin");
    visible.again();
    assertThat(sees(closed, "/closed/x")).isFalse();
    assertThat(sees(inner, "/closed/inner/x")).isFalse();
    assertThat(sees(id("/closed"), "/closed/x")).isTrue();
    // Also into a directory where everybody may do everything.
    directory("/all", "anyone=admin");
    move("/renamed", "/all/renamed");
    assertThat(sees(closed, "/closed/x")).isFalse();
    assertThat(sees(inner, "/closed/inner/x")).isFalse();
  }

  @Test
  void directoriesThatHaveChangedPlacesKeepTheirRules() {
    EntryId open = id("/open");
    EntryId closed = id("/closed");
    move("/open", "/between");
    move("/closed", "/open");
    move("/between", "/closed");
    assertThat(sees(closed, "/closed/x")).isFalse();
    assertThat(sees(closed, "/open/x")).isFalse();
    assertThat(sees(open, "/open/x")).isTrue();
    assertThat(sees(open, "/closed/x")).isTrue();
    assertThat(
        visible.of(
            new PlacedChange(change(Kind.MOVED, "/open/y", "/closed/x"), open, Optional.of(closed))))
        .contains(change(Kind.ADDED, "/open/y", null));
    assertThat(
        visible.of(
            new PlacedChange(change(Kind.MOVED, "/closed/y", "/open/x"), closed, Optional.of(open))))
        .contains(change(Kind.REMOVED, "/open/x", null));
  }

  @Test
  void whoeverMayReadADirectoryAllTheTimeSeesAllAcrossARename() {
    inheriting("/open/a");
    inheriting("/open/a/b");
    EntryId a = id("/open/a");
    EntryId b = id("/open/a/b");
    assertThat(sees(b, "/open/a/b/x")).isTrue();
    move("/open/a", "/open/c");
    assertThat(sees(a, "/open/a/x")).isTrue();
    assertThat(sees(b, "/open/a/b/x")).isTrue();
    move("/open/c/b", "/open/d");
    move("/open", "/opened");
    assertThat(sees(a, "/open/a/x")).isTrue();
    assertThat(sees(b, "/open/a/b/x")).isTrue();
    assertThat(sees(b, "/open/d/x")).isTrue();
    assertThat(sees(b, "/opened/d/x")).isTrue();
    // Another directory in the former place closes nothing that was not in it.
    directory("/open");
    visible.again();
    assertThat(sees(a, "/open/c/x")).isTrue();
  }

  @Test
  void theWayToAFormerPlaceInAClosedDirectoryIsNotShown() {
    directory("/closed/inner");
    directory("/closed/inner/public", "anyone=list,read");
    EntryId moved = id("/closed/inner/public");
    assertThat(sees(moved, "/closed/inner/public/x")).isFalse();
    move("/closed/inner/public", "/open/public");
    assertThat(sees(moved, "/closed/inner/public/x")).isFalse();
    assertThat(sees(moved, "/open/public/x")).isTrue();
    set("/closed", "anyone=list,read");
    visible.again();
    assertThat(sees(moved, "/closed/inner/public/x")).isTrue();
  }

  @Test
  void limitsOfACredentialHoldForBothPaths() {
    Caller limited =
        new Caller(
            BOB.name(), Set.of(), List.of(Set.of(new Scope(RnsPath.parse("/open/a"), Set.of(Right.READ)))));
    VisibleChanges narrow = new VisibleChanges(access, limited, this::place);
    inheriting("/open/a");
    inheriting("/open/b");
    EntryId a = id("/open/a");
    EntryId b = id("/open/b");
    assertThat(narrow.of(new PlacedChange(change(Kind.ADDED, "/open/a/x", null), a))).isPresent();
    assertThat(narrow.of(new PlacedChange(change(Kind.ADDED, "/open/b/x", null), b))).isEmpty();
    move("/open/a", "/open/c");
    move("/open/b", "/open/a");
    narrow.again();
    assertThat(narrow.of(new PlacedChange(change(Kind.ADDED, "/open/a/x", null), a))).isEmpty();
    assertThat(narrow.of(new PlacedChange(change(Kind.ADDED, "/open/b/x", null), b))).isEmpty();
    assertThat(narrow.of(new PlacedChange(change(Kind.ADDED, "/open/a/x", null), b))).isPresent();
  }

  @Test
  void aDirectoryThatKeepsMovingIsAskedForAgain() {
    inheriting("/open/a");
    EntryId a = id("/open/a");
    VisibleChanges late = new VisibleChanges(access, BOB, unused -> Optional.of(RnsPath.parse("/open/before")));
    assertThatThrownBy(() -> late.of(new PlacedChange(change(Kind.ADDED, "/open/was/x", null), a)))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
        .hasMessageContaining("/open/was/x");
  }

  @Test
  void aCutIsSeenWhereItsDirectoryIs() {
    inheriting("/open/a");
    directory("/closed/a");
    assertThat(cut("/open/a", id("/open/a"))).contains(true);
    assertThat(cut("/closed/a", id("/closed/a"))).contains(false);
    // The map is older than the name of the directory, which another one has now.
    assertThat(cut("/open/a", id("/closed/a"))).isEmpty();
    assertThat(cut("/open/b", id("/closed/a"))).isEmpty();
  }

  private Optional<Boolean> cut(String path, EntryId root) {
    return visible.of(new Partition(RnsPath.parse(path), root, 1, 3));
  }

  @Test
  void rulesCountFromTheNextLookOn() {
    assertThat(seen(Kind.ADDED, "/open/x", null)).isPresent();
    set("/open");
    visible.again();
    assertThat(seen(Kind.ADDED, "/open/x", null)).isEmpty();
  }

  @Test
  void everythingIsSeenWhereNothingIsClosed() {
    VisibleChanges all =
        new VisibleChanges(new AccessReader(AccessControl.open(), () -> tree), Caller.ANONYMOUS, this::place);
    PlacedChange moved =
        new PlacedChange(
            change(Kind.MOVED, "/closed/y", "/gone/z/x"), id("/closed"), Optional.of(new EntryId((1L << 48) - 1)));
    assertThat(all.of(moved)).isPresent();
    assertThat(new VisibleChanges(null, BOB, this::place).of(moved)).isPresent();
  }
}
