package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EntryId;
import io.rns.server.store.DirectoryCountTable.Placed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How entries of partitions are counted, in memory and by a clock of the test's. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PartitionSizesTest {
  private static final EntryId OWN = new EntryId(100);
  private static final EntryId ELSEWHERE = new EntryId(200);

  /** By identity, the entries and the directory above. */
  private final TreeMap<Long, long[]> directories = new TreeMap<>();

  private void directory(long id, long entries, long parent) {
    directories.put(id, new long[]{entries, parent});
  }

  private Map<EntryId, Long> count(int most) {
    return count(List.of(EntryId.ROOT, OWN), most);
  }

  private Map<EntryId, Long> count(List<EntryId> partitions, int most) {
    return PartitionSizes.count(
        (after, limit) -> directories.tailMap(after, false).entrySet().stream().limit(2)
            .map(each -> new Placed(each.getKey(), each.getValue()[0], each.getValue()[1])).toList(),
        partitions, List.of(ELSEWHERE), most);
  }

  @Test
  void anEntryCountsForTheNearestPartitionAbove() {
    directory(1, 2, 0);
    directory(7, 3, 1);
    directory(5, 10, 7);
    directory(100, 4, 1);
    directory(101, 1_000, 100);
    assertThat(count(9)).isEqualTo(Map.of(EntryId.ROOT, 15L, OWN, 1_004L));
  }

  /** Another group's content on its way, and what is being deleted. */
  @Test
  void whatBelongsToNoPartitionCountsForNone() {
    directory(1, 2, 0);
    directory(300, 50, 299);
    directory(301, 50, 300);
    assertThat(count(9)).isEqualTo(Map.of(EntryId.ROOT, 2L, OWN, 0L));
    assertThat(count(List.of(OWN), 9)).as("at a group that does not own the root").isEqualTo(Map.of(OWN, 0L));
  }

  /** A copy of a move that has not ended, and what is being deleted after a move. */
  @Test
  void whatIsBelowADirectoryOfAnotherGroupCountsForNone() {
    directory(1, 2, 0);
    directory(200, 50, 1);
    directory(201, 50, 200);
    assertThat(count(9)).isEqualTo(Map.of(EntryId.ROOT, 2L, OWN, 0L));
    assertThat(count(List.of(EntryId.ROOT, ELSEWHERE), 9)).as("after it was given away, by a map from before")
        .isEqualTo(Map.of(EntryId.ROOT, 2L));
  }

  /** Pages are of different moments. */
  @Test
  void directoriesThatSeemToBeBelowThemselvesEndTheWalk() {
    directory(1, 2, 0);
    directory(7, 3, 8);
    directory(8, 3, 7);
    assertThat(count(9)).isEqualTo(Map.of(EntryId.ROOT, 2L, OWN, 0L));
  }

  @Test
  void ofTooManyDirectoriesNothingIsSaid() {
    for (int id = 1; id <= 5; id++) {
      directory(id, 1, id - 1);
    }
    assertThat(count(5)).isEqualTo(Map.of(EntryId.ROOT, 5L, OWN, 0L));
    assertThat(count(4)).isEmpty();
  }

  @Test
  void aCountIsMadeOnceAMinuteAndShownForAnHour() {
    AtomicLong now = new AtomicLong();
    AtomicInteger counts = new AtomicInteger();
    Queue<Runnable> waiting = new ArrayDeque<>();
    AtomicBoolean isBusy = new AtomicBoolean();
    PartitionSizes sizes =
        new PartitionSizes(
            () -> Map.of(OWN, (long) counts.incrementAndGet()),
            task -> {
              if (isBusy.get()) {
                waiting.add(task);
              } else {
                task.run();
              }
            },
            now::get);
    assertThat(sizes.entries()).isEqualTo(Map.of(OWN, 1L));
    now.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(sizes.entries()).isEqualTo(Map.of(OWN, 1L));
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(sizes.entries()).isEqualTo(Map.of(OWN, 2L));
    isBusy.set(true);
    now.addAndGet(Duration.ofMinutes(59).toNanos());
    assertThat(sizes.entries()).as("while the next count is made").isEqualTo(Map.of(OWN, 2L));
    now.addAndGet(Duration.ofMinutes(1).toNanos());
    assertThat(sizes.entries()).as("too long ago").isEmpty();
    assertThat(waiting).as("no second count beside it").hasSize(1);
  }
}
