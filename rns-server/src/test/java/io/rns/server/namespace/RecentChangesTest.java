package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Change;
import io.rns.api.EntryName;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.server.store.EntryKey;
import io.rns.server.store.LoggedChange;
import io.rns.server.store.LoggedChange.Place;
import java.time.Instant;
import java.util.Collections;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecentChangesTest {
  private static final EntryName LONG = EntryName.of("x".repeat(1_000));

  private static LoggedChange change(long sequence, int depth) {
    RnsPath directory = RnsPath.of(Collections.nCopies(depth, LONG));
    Place place = new Place(new EntryKey(sequence, EntryName.of("n")), directory);
    return new LoggedChange(new Position(0, 1, sequence), Instant.EPOCH, Change.Kind.ADDED, sequence, place, null);
  }

  private static void assertHas(RecentChanges changes, long first, long last) {
    assertThat(changes.first()).isEqualTo(first);
    assertThat(changes.from(first, 1_000))
        .extracting(change -> change.position().sequence())
        .containsExactlyElementsOf(LongStream.rangeClosed(first, last).boxed().toList());
    assertThatThrownBy(() -> changes.from(first - 1, 1_000))
        .hasMessage("change " + (first - 1) + " has been forgotten");
  }

  @Test
  void keepsTheLastOnesByNumber() {
    RecentChanges changes = new RecentChanges(10, Long.MAX_VALUE, 5);
    assertThat(changes.first()).isEqualTo(5);
    LongStream.rangeClosed(5, 25).forEach(sequence -> changes.add(change(sequence, 1)));
    assertHas(changes, 16, 25);
    assertThat(changes.from(17, 3)).hasSize(3);
  }

  @Test
  void changesWithLongPathsLeaveSoonerThanOthers() {
    RecentChanges changes = new RecentChanges(1_000, 100_000, 1);
    LongStream.rangeClosed(1, 100).forEach(sequence -> changes.add(change(sequence, 30)));
    assertHas(changes, 98, 100);
    LongStream.rangeClosed(101, 200).forEach(sequence -> changes.add(change(sequence, 0)));
    assertHas(changes, 99, 200);
  }

  @Test
  void oneThatIsTooLargeIsForgottenAtOnce() {
    RecentChanges changes = new RecentChanges(1_000, 10_000, 1);
    changes.add(change(1, 0));
    changes.add(change(2, 30));
    assertThat(changes.first()).isEqualTo(3);
    changes.add(change(3, 0));
    assertHas(changes, 3, 3);
  }

  @Test
  void afterAGapItBeginsAnew() {
    RecentChanges changes = new RecentChanges(1_000, 10_000, 1);
    changes.add(change(1, 0));
    changes.add(change(7, 0));
    assertHas(changes, 7, 7);
    changes.restartAt(3);
    assertThat(changes.first()).isEqualTo(3);
    changes.add(change(3, 0));
    assertHas(changes, 3, 3);
  }
}
