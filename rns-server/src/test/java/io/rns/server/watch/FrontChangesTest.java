package io.rns.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Change.Kind;
import io.rns.api.EntryName;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.server.store.EntryKey;
import io.rns.server.store.LoggedChange;
import io.rns.server.store.LoggedChange.Place;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FrontChangesTest {
  private static final Place HERE = place("/a");
  private static final Place THERE = place("/b");
  private static final Place TOO_DEEP = place(null);

  private static Place place(@Nullable String directory) {
    return new Place(new EntryKey(7, EntryName.of("x")), directory == null ? null : RnsPath.parse(directory));
  }

  private static FrontChanges.Place told(Kind kind, Place place, @Nullable Place old) {
    return FrontChanges.place(new LoggedChange(new Position(0, 1, 9), Instant.EPOCH, kind, 8, place, old));
  }

  @Test
  void aChangeHasItsPaths() {
    assertThat(told(Kind.ADDED, HERE, null))
        .isEqualTo(new FrontChanges.Place(9, Optional.of(RnsPath.parse("/a/x")), Optional.empty()));
    assertThat(told(Kind.MOVED, HERE, THERE))
        .isEqualTo(new FrontChanges.Place(9, Optional.of(RnsPath.parse("/a/x")), Optional.of(RnsPath.parse("/b/x"))));
  }

  /** The directory has a path perhaps, and fronts kept how many entries it had before. */
  @Test
  void nothingHoldsAfterAChangeToWhichNoPathLeads() {
    FrontChanges.Place unknown = new FrontChanges.Place(9, Optional.empty(), Optional.empty());
    assertThat(told(Kind.REMOVED, TOO_DEEP, null)).isEqualTo(unknown);
    assertThat(told(Kind.MOVED, HERE, TOO_DEEP)).isEqualTo(unknown);
    assertThat(told(Kind.MOVED, TOO_DEEP, THERE)).isEqualTo(unknown);
  }
}
