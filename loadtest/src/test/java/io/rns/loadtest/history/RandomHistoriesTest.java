package io.rns.loadtest.history;

import static io.rns.loadtest.history.Edits.edited;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Change.Kind;
import io.rns.api.Position;
import io.rns.loadtest.history.DrillEvent.Claim;
import io.rns.loadtest.history.DrillEvent.Read;
import io.rns.loadtest.history.DrillEvent.Unknown;
import io.rns.loadtest.history.DrillEvent.WatchedChange;
import io.rns.loadtest.history.DrillEvent.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Histories of a group that keeps its promises have no breach; those that are put into them are found, each once. */
class RandomHistoriesTest {
  private static final int STEPS = 400;
  private static final int FAULTS = 3;

  static LongStream seeds() {
    return LongStream.range(0, 60);
  }

  private static void finds(History history, Consumer<Edits> faults, Promise promise, int times) {
    List<Violation> found = HistoryChecker.check(edited(history, faults));
    assertThat(found).extracting(Violation::promise).as("%s", found).isEqualTo(Collections.nCopies(times, promise));
  }

  /** Entries that were acknowledged and that nobody has touched since. */
  private static List<Write> standing(History history, long seed) {
    WritesByPath paths = new WritesByPath(history.all(Write.class));
    List<Write> standing =
        new ArrayList<>(
            history.all(Write.class).stream()
                .filter(w -> w.isAcknowledged() && !w.repetition() && w.kind() == Kind.ADDED)
                .filter(w -> paths.of(w.path()).stream().allMatch(other -> other.kind() == Kind.ADDED))
                .toList());
    Collections.shuffle(standing, new Random(seed));
    assertThat(standing).hasSizeGreaterThan(FAULTS);
    return standing.subList(0, FAULTS);
  }

  private static long endOf(History history) {
    return history.all(Write.class).get(history.all(Write.class).size() - 1).answered()
        + Duration.ofMinutes(1).toNanos();
  }

  private static Read blind(Write write, Optional<Duration> bound, Optional<Position> token, long at) {
    Position position = new Position(0, 1, token.map(Position::sequence).orElse(0L));
    String session = "fresh " + write.path();
    return new Read(session, "server-2", bound, token, write.path(), at, at + 1, OptionalLong.empty(), position);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void findsNothingInASoundHistory(long seed) {
    History history = SimulatedGroup.history(seed, 3 * STEPS);
    assertThat(history.all(Read.class)).hasSizeGreaterThan(300);
    assertThat(history.all(Write.class).stream().filter(w -> w.outcome() instanceof Unknown)).isNotEmpty();
    assertThat(HistoryChecker.check(history)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void findsWhatIsLost(long seed) {
    History history = SimulatedGroup.history(seed, STEPS);
    List<Write> lost = standing(history, seed);
    finds(
        history,
        edits -> lost.forEach(write -> edits.trees.get("server-" + (1 + seed % 3)).remove(write.path())),
        Promise.NOTHING_LOST,
        FAULTS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void findsWhatIsAppliedTwice(long seed) {
    History history = SimulatedGroup.history(seed, STEPS);
    List<Write> twice = standing(history, seed);
    finds(
        history,
        edits -> {
          for (Write write : twice) {
            edits.end = new Position(0, edits.end.epoch(), edits.end.sequence() + 1);
            edits.changes.add(new WatchedChange(edits.end, Kind.ADDED, write.path(), endOf(history), 0));
            edits.trees.values().forEach(tree -> tree.put(write.path(), edits.end.sequence()));
          }
        },
        Promise.APPLIED_ONCE,
        FAULTS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void findsReadsThatMissTheirTokens(long seed) {
    History history = SimulatedGroup.history(seed, STEPS);
    List<Write> missed = standing(history, seed);
    finds(
        history,
        edits -> missed
            .forEach(w -> edits.reads.add(blind(w, Optional.empty(), Optional.of(w.position()), endOf(history)))),
        Promise.READ_YOUR_WRITES,
        FAULTS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void findsBoundedReadsThatAreTooOld(long seed) {
    History history = SimulatedGroup.history(seed, STEPS);
    Optional<Duration> bound = Optional.of(Duration.ofMillis(500));
    List<Write> missed = standing(history, seed);
    finds(
        history,
        edits -> missed.forEach(w -> edits.reads.add(blind(w, bound, Optional.empty(), endOf(history)))),
        Promise.BOUNDED_AGE,
        FAULTS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void findsSessionsThatGoBack(long seed) {
    History history = SimulatedGroup.history(seed, STEPS);
    List<Read> seen =
        history.all(Read.class).stream().filter(r -> r.isOfSession() && r.position().sequence() > 1).toList();
    Read last = seen.get(seen.size() - 1);
    Position before = new Position(0, last.position().epoch(), last.position().sequence() - 1);
    finds(
        history,
        edits -> edits.reads.add(
            new Read(
                last.session(),
                "server-1",
                Optional.empty(),
                Optional.empty(),
                "/nobody-wrote-this",
                endOf(history),
                endOf(history),
                OptionalLong.empty(),
                before)),
        Promise.MONOTONIC_READS,
        1);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void findsGapsAndDuplicatesOfTheWatch(long seed) {
    History history = SimulatedGroup.history(seed, STEPS);
    int place = new Random(seed).nextInt(history.all(WatchedChange.class).size());
    finds(history, edits -> edits.changes.remove(place), Promise.WATCH_COMPLETE, 1);
    finds(history, edits -> edits.changes.add(edits.changes.get(place)), Promise.WATCH_COMPLETE, 1);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void findsTwoPrimaries(long seed) {
    History history = SimulatedGroup.history(seed, STEPS);
    int epoch = 1_000;
    finds(
        history,
        edits -> edits.claims.addAll(List.of(new Claim("server-1", epoch, 1), new Claim("server-3", epoch, 2))),
        Promise.ONE_PRIMARY,
        1);
  }
}
