package io.rns.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.Change;
import io.rns.api.Change.Kind;
import io.rns.api.EntryId;
import io.rns.api.Metadata;
import io.rns.api.ModelNameService;
import io.rns.api.Position;
import io.rns.api.Precondition;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import io.rns.permission.AccessControl;
import io.rns.permission.AccessReader;
import java.time.Instant;
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
  private final VisibleChanges visible = new VisibleChanges(access, BOB);

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

  private static Change change(Kind kind, String path, @Nullable String old) {
    return new Change(
        new Position(0, 1, 2), Instant.EPOCH, kind, new EntryId(9), RnsPath.parse(path),
        Optional.ofNullable(old).map(RnsPath::parse));
  }

  private Optional<Change> seen(Kind kind, String path, @Nullable String old) {
    return visible.of(change(kind, path, old));
  }

  @Test
  void namesThatMayBeListedOrReadAreSeen() {
    for (Kind kind : List.of(Kind.ADDED, Kind.CHANGED, Kind.REMOVED)) {
      assertThat(seen(kind, "/open/x", null)).contains(change(kind, "/open/x", null));
      assertThat(seen(kind, "/listed/x", null)).isPresent();
      assertThat(seen(kind, "/closed/x", null)).isEmpty();
      assertThat(seen(kind, "/closed", null)).isPresent();
    }
  }

  @Test
  void aMoveAcrossTheLineIsABeginningOrAnEnd() {
    assertThat(seen(Kind.MOVED, "/open/y", "/listed/x")).contains(change(Kind.MOVED, "/open/y", "/listed/x"));
    assertThat(seen(Kind.MOVED, "/open/y", "/closed/x")).contains(change(Kind.ADDED, "/open/y", null));
    assertThat(seen(Kind.MOVED, "/closed/y", "/open/x")).contains(change(Kind.REMOVED, "/open/x", null));
    assertThat(seen(Kind.MOVED, "/closed/y", "/closed/x")).isEmpty();
  }

  @Test
  void whatWasInARemovedDirectoryIsForThoseWhoMayDoEverythingAboveIt() {
    assertThat(seen(Kind.ADDED, "/open/gone/x", null)).isEmpty();
    set("/open", "anyone=list,read", "local:bob=admin");
    visible.again();
    assertThat(seen(Kind.ADDED, "/open/gone/x", null)).isPresent();
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
        new VisibleChanges(new AccessReader(AccessControl.open(), () -> tree), Caller.ANONYMOUS);
    assertThat(all.of(change(Kind.MOVED, "/closed/y", "/gone/z/x"))).isPresent();
    assertThat(new VisibleChanges(null, BOB).is(RnsPath.parse("/closed/x"))).isTrue();
  }
}
