package io.rns.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Change;
import io.rns.api.Change.Kind;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.server.store.LoggedChange.Place;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Changes are reported with the identities of their directories. */
class LoggedChangeTest {
  private static final Position POSITION = new Position(0, 1, 7);
  private static final Place HERE = place(0xa, "x", "/a");
  private static final Place THERE = place(0xb, "y", "/b");
  private static final Place TOO_DEEP = place(0xc, "z", null);

  private static Place place(long directory, String name, @Nullable String path) {
    return new Place(new EntryKey(directory, EntryName.of(name)), path == null ? null : RnsPath.parse(path));
  }

  private static Optional<PlacedChange> told(Kind kind, Place place, @Nullable Place old) {
    return new LoggedChange(POSITION, Instant.EPOCH, kind, 9, place, old).told();
  }

  private static Change change(Kind kind, String path, @Nullable String old) {
    return new Change(
        POSITION, Instant.EPOCH, kind, new EntryId(9), RnsPath.parse(path),
        Optional.ofNullable(old).map(RnsPath::parse));
  }

  @Test
  void theDirectoryIsThatOfThePath() {
    for (Kind kind : new Kind[]{Kind.ADDED, Kind.CHANGED, Kind.REMOVED}) {
      assertThat(told(kind, HERE, null)).contains(new PlacedChange(change(kind, "/a/x", null), new EntryId(0xa)));
    }
    assertThat(told(Kind.CHANGED, new Place(EntryKey.ROOT, RnsPath.ROOT), null))
        .contains(new PlacedChange(change(Kind.CHANGED, "/", null), EntryId.ROOT));
  }

  @Test
  void aMoveHasBothDirectories() {
    assertThat(told(Kind.MOVED, HERE, THERE))
        .contains(
            new PlacedChange(
                change(Kind.MOVED, "/a/x", "/b/y"), new EntryId(0xa), Optional.of(new EntryId(0xb))));
  }

  @Test
  void aMoveToOrFromWhereNoPathLeadsHasTheOther() {
    assertThat(told(Kind.MOVED, HERE, TOO_DEEP))
        .contains(new PlacedChange(change(Kind.ADDED, "/a/x", null), new EntryId(0xa)));
    assertThat(told(Kind.MOVED, TOO_DEEP, THERE))
        .contains(new PlacedChange(change(Kind.REMOVED, "/b/y", null), new EntryId(0xb)));
    assertThat(told(Kind.MOVED, TOO_DEEP, TOO_DEEP)).isEmpty();
    assertThat(told(Kind.ADDED, TOO_DEEP, null)).isEmpty();
  }
}
