package io.rns.loadtest.history;

import static io.rns.loadtest.history.Edits.edited;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Change.Kind;
import io.rns.api.Position;
import io.rns.loadtest.history.DrillEvent.FailedRead;
import io.rns.loadtest.history.DrillEvent.Window;
import io.rns.loadtest.history.DrillEvent.Acknowledged;
import io.rns.loadtest.history.DrillEvent.Claim;
import io.rns.loadtest.history.DrillEvent.Outcome;
import io.rns.loadtest.history.DrillEvent.Read;
import io.rns.loadtest.history.DrillEvent.Refused;
import io.rns.loadtest.history.DrillEvent.Unknown;
import io.rns.loadtest.history.DrillEvent.WatchedChange;
import io.rns.loadtest.history.DrillEvent.Write;
import io.rns.loadtest.history.History.Ending;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Every breach that is put into a history without one is found, and nothing else. */
class HistoryCheckerTest {
  private static final long SECOND = 1_000_000_000;

  /**
   * A short history by hand: /a and /b added, /b changed, /c added and removed by epoch 1; /d added by epoch 2; /e in
   * doubt, and not applied.
   */
  private static final History SOUND =
      new History(
          List.of(
              done("a", "/a", Kind.ADDED, 1, 1),
              done("b", "/b", Kind.ADDED, 1, 2),
              done("b2", "/b", Kind.CHANGED, 1, 3),
              done("c", "/c", Kind.ADDED, 1, 4),
              done("c2", "/c", Kind.REMOVED, 1, 5),
              done("d", "/d", Kind.ADDED, 2, 6),
              write("e", "/e", Kind.ADDED, 7, new Unknown("no answer")),
              event(1, 1, Kind.ADDED, "/a"),
              event(1, 2, Kind.ADDED, "/b"),
              event(1, 3, Kind.CHANGED, "/b"),
              event(1, 4, Kind.ADDED, "/c"),
              event(1, 5, Kind.REMOVED, "/c"),
              event(2, 6, Kind.ADDED, "/d"),
              new Claim("server-1", 1, 0),
              new Claim("server-2", 2, 5 * SECOND)),
          at(1, 0),
          new Ending(at(2, 6), Map.of("server-1", tree(), "server-2", tree())));

  private static Map<String, Long> tree() {
    return Map.of("/a", 1L, "/b", 3L, "/d", 6L);
  }

  private static Position at(int epoch, long sequence) {
    return new Position(0, epoch, sequence);
  }

  /** Invoked at the second of its number, answered half a second later. */
  private static Write write(String id, String path, Kind kind, long second, Outcome told) {
    return new Write(id, false, path, kind, Optional.empty(), second * SECOND, second * SECOND + SECOND / 2, told);
  }

  private static Write done(String id, String path, Kind kind, int epoch, long sequence) {
    return write(id, path, kind, sequence, new Acknowledged(at(epoch, sequence)));
  }

  private static WatchedChange event(int epoch, long sequence, Kind kind, String path) {
    return new WatchedChange(at(epoch, sequence), kind, path, sequence * SECOND, 0);
  }

  private static Write repeated(Write write, long second, Outcome told) {
    return new Write(
        write.requestId(), true, write.path(), write.kind(), Optional.empty(), second * SECOND, second * SECOND + 1,
        told);
  }

  private static Read read(Optional<Duration> bound, long token, long second, String path, long version,
      long position) {
    return new Read(
        "reader",
        "server-2",
        bound,
        token == 0 ? Optional.empty() : Optional.of(at(1, token)),
        path,
        second * SECOND,
        second * SECOND + 1,
        version == 0 ? OptionalLong.empty() : OptionalLong.of(version),
        at(1, position));
  }

  private static Read ofSession(long token, String path, long version, long position) {
    return read(Optional.empty(), token, 20, path, version, position);
  }

  private static Read bounded(long millis, long second, String path, long version) {
    return read(Optional.of(Duration.ofMillis(millis)), 0, second, path, version, 0);
  }

  private static void finds(Consumer<Edits> fault, Promise... broken) {
    List<Violation> found = HistoryChecker.check(edited(SOUND, fault));
    assertThat(found).extracting(Violation::promise).as("%s", found).containsExactly(broken);
    assertThat(found).allSatisfy(violation -> assertThat(violation.toString()).doesNotContain("Optional", "null"));
  }

  @Test
  void findsNothingInASoundHistory() {
    finds(history -> {});
  }

  @Test
  void findsWhatIsLost() {
    finds(history -> history.trees.get("server-2").remove("/a"), Promise.NOTHING_LOST);
    finds(history -> history.trees.values().forEach(tree -> tree.remove("/d")), Promise.NOTHING_LOST);
    finds(history -> history.trees.values().forEach(tree -> tree.keySet().removeAll(List.of("/a", "/d"))),
        Promise.NOTHING_LOST, Promise.NOTHING_LOST);
    finds(history -> history.trees.get("server-1").put("/b", 2L), Promise.NOTHING_LOST);
    finds(history -> history.trees.get("server-1").put("/c", 4L), Promise.NOTHING_LOST);
  }

  @Test
  void findsAChangeInThePlaceOfAnAcknowledgedOne() {
    finds(history -> history.changes.set(5, event(2, 6, Kind.ADDED, "/e")), Promise.NOTHING_LOST);
  }

  @Test
  void findsWhatWasReadAndIsNotInTheLog() {
    finds(history -> history.reads.add(ofSession(0, "/e", 6, 0)), Promise.NOTHING_LOST);
    finds(history -> history.reads.add(ofSession(0, "/e", 7, 0)), Promise.NOTHING_LOST);
    finds(history -> history.writes.add(done("f", "/e", Kind.CHANGED, 2, 7)), Promise.NOTHING_LOST);
  }

  @Test
  void doesNotMissWhatMayHaveBeenRemoved() {
    finds(
        history -> {
          history.writes.add(write("a2", "/a", Kind.REMOVED, 8, new Unknown("no answer")));
          history.trees.get("server-1").remove("/a");
          history.trees.get("server-2").remove("/a");
        });
  }

  @Test
  void doesNotTakeRefusedOrLaterRemovalsForAnExcuse() {
    finds(
        history -> {
          history.writes
              .add(write("a2", "/a", Kind.REMOVED, 8, new Refused("NOT_PRIMARY", "ask server-1")));
          history.trees.get("server-1").remove("/a");
        },
        Promise.NOTHING_LOST);
    finds(
        history -> {
          history.writes.add(write("a2", "/a", Kind.REMOVED, 30, new Unknown("no answer")));
          history.reads.addAll(List.of(ofSession(0, "/a", 1, 0), ofSession(0, "/a", 0, 0)));
        },
        Promise.MONOTONIC_READS);
  }

  @Test
  void findsWhatIsAppliedTwiceAndWasNeverAnswered() {
    finds(
        history -> {
          history.changes.add(event(2, 7, Kind.ADDED, "/e"));
          history.changes.add(event(2, 8, Kind.ADDED, "/e"));
          history.end = at(2, 8);
        },
        Promise.APPLIED_ONCE);
  }

  @Test
  void findsWhatIsAppliedTwice() {
    finds(
        history -> {
          history.changes.add(event(2, 7, Kind.CHANGED, "/b"));
          history.trees.values().forEach(tree -> tree.put("/b", 7L));
          history.end = at(2, 7);
        },
        Promise.APPLIED_ONCE);
    finds(
        history -> {
          history.writes.add(repeated(done("a", "/a", Kind.ADDED, 1, 1), 9, new Acknowledged(at(2, 7))));
          history.changes.add(event(2, 7, Kind.ADDED, "/a"));
          history.trees.values().forEach(tree -> tree.put("/a", 7L));
          history.end = at(2, 7);
        },
        Promise.APPLIED_ONCE);
    finds(history -> history.trees.get("server-1").put("/b", 4L), Promise.APPLIED_ONCE);
  }

  @Test
  void letsARepetitionHaveTheFirstAnswer() {
    finds(
        history -> history.writes
            .add(repeated(done("a", "/a", Kind.ADDED, 1, 1), 9, new Acknowledged(at(1, 1)))));
  }

  @Test
  void findsRefusalsWithoutReason() {
    finds(
        history -> history.writes
            .add(repeated(done("a", "/a", Kind.ADDED, 1, 1), 9,
                new Refused("ENTRY_EXISTS", "there is '/a'"))),
        Promise.HONEST_REFUSALS);
    finds(history -> history.writes
        .add(write("f", "/f", Kind.ADDED, 9, new Refused("NOT_PRIMARY", "ask server-1"))));
    finds(
        history -> history.writes.set(5,
            write("d", "/d", Kind.ADDED, 6, new Refused("NOT_PRIMARY", "ask server-1"))),
        Promise.HONEST_REFUSALS);
    finds(
        history -> {
          history.writes.set(5,
              write("d", "/d", Kind.ADDED, 6, new Refused("NOT_PRIMARY", "ask server-1")));
          history.writes.add(repeated(done("d", "/d", Kind.ADDED, 2, 6), 7, new Acknowledged(at(2, 6))));
        });
  }

  @Test
  void findsReadsThatMissWhatTheirTokenStandsFor() {
    finds(history -> history.reads.add(ofSession(1, "/a", 1, 1)));
    finds(history -> history.reads.add(ofSession(0, "/a", 0, 0)));
    finds(history -> history.reads.add(ofSession(1, "/a", 0, 1)), Promise.READ_YOUR_WRITES);
    finds(history -> history.reads.add(ofSession(3, "/b", 2, 3)), Promise.READ_YOUR_WRITES);
    finds(history -> history.reads.add(ofSession(2, "/b", 2, 2)));
    finds(history -> history.reads.add(ofSession(5, "/c", 4, 5)), Promise.READ_YOUR_WRITES);
    finds(history -> history.reads.add(ofSession(4, "/c", 0, 4)));
  }

  @Test
  void findsAnswersThatClaimMoreThanTheySaw() {
    finds(history -> history.reads.add(ofSession(0, "/a", 0, 1)), Promise.READ_YOUR_WRITES);
  }

  @Test
  void findsSessionsThatGoBack() {
    finds(history -> history.reads.addAll(List.of(ofSession(0, "/x", 0, 4), ofSession(0, "/x", 0, 3))),
        Promise.MONOTONIC_READS);
    finds(history -> history.reads.add(ofSession(4, "/x", 0, 3)), Promise.MONOTONIC_READS);
    finds(history -> history.reads.addAll(List.of(ofSession(0, "/a", 1, 0), ofSession(0, "/a", 0, 0))),
        Promise.MONOTONIC_READS);
    finds(history -> history.reads.addAll(List.of(ofSession(0, "/b", 3, 0), ofSession(0, "/b", 2, 0))),
        Promise.MONOTONIC_READS);
    finds(
        history -> history.reads
            .addAll(List.of(ofSession(0, "/c", 4, 0), ofSession(0, "/c", 0, 0), ofSession(0, "/c", 4, 0))),
        Promise.MONOTONIC_READS);
    finds(history -> history.reads.addAll(List.of(ofSession(0, "/c", 4, 0), ofSession(0, "/c", 0, 0))));
    finds(history -> history.reads.addAll(List.of(ofSession(0, "/a", 0, 0), ofSession(0, "/a", 1, 1))));
  }

  @Test
  void findsBoundedReadsThatAreTooOld() {
    // /a was answered at 1.5 s
    finds(history -> history.reads.add(bounded(1_000, 2, "/a", 0)));
    finds(history -> history.reads.add(bounded(1_000, 3, "/a", 0)), Promise.BOUNDED_AGE);
    finds(history -> history.reads.add(bounded(0, 2, "/a", 0)), Promise.BOUNDED_AGE);
    finds(history -> history.reads.add(bounded(0, 2, "/a", 1)));
    // reads of other kinds say nothing about a session
    finds(history -> history.reads.addAll(List.of(bounded(9_000, 4, "/a", 1), bounded(9_000, 4, "/a", 0))));
  }

  @Test
  void findsGapsAndDuplicatesOfTheWatch() {
    finds(history -> history.changes.remove(2), Promise.WATCH_COMPLETE);
    finds(history -> history.changes.remove(0), Promise.WATCH_COMPLETE);
    finds(history -> history.changes.remove(5), Promise.WATCH_COMPLETE);
    finds(history -> history.changes.add(2, history.changes.get(1)), Promise.WATCH_COMPLETE);
    finds(history -> history.changes.add(history.changes.get(1)), Promise.WATCH_COMPLETE);
    finds(history -> history.changes.clear(), Promise.WATCH_COMPLETE);
  }

  @Test
  void findsTwoPrimaries() {
    finds(history -> history.claims.add(new Claim("server-3", 2, 9)), Promise.ONE_PRIMARY);
    finds(
        history -> {
          direct(history, 0, "server-1");
          direct(history, 1, "server-2");
          history.claims.clear();
        },
        Promise.ONE_PRIMARY);
    finds(history -> direct(history, 0, "server-1"));
    finds(history -> direct(history, 5, "server-1"), Promise.ONE_PRIMARY);
  }

  @Test
  void findsANumberThatWasGivenTwice() {
    finds(history -> history.writes.add(done("f", "/f", Kind.ADDED, 2, 6)), Promise.NOTHING_LOST, Promise.ONE_PRIMARY);
  }

  private static void direct(Edits history, int index, String server) {
    Write w = history.writes.get(index);
    history.writes.set(
        index,
        new Write(w.requestId(), false, w.path(), w.kind(), Optional.of(server), w.invoked(), w.answered(),
            w.outcome()));
  }

  @Test
  void findsAcknowledgementsOfADeposedPrimary() {
    // behind the place where epoch 2 began
    finds(
        history -> {
          history.writes.add(write("f", "/f", Kind.ADDED, 6, new Acknowledged(at(1, 7))));
          history.changes.add(event(1, 7, Kind.ADDED, "/f"));
          history.trees.values().forEach(tree -> tree.put("/f", 7L));
          history.end = at(2, 7);
        },
        Promise.ONE_PRIMARY);
    // in epoch 1, begun when epoch 2 had answered
    finds(
        history -> history.writes.set(0, write("a", "/a", Kind.ADDED, 9, new Acknowledged(at(1, 1)))),
        Promise.ONE_PRIMARY);
  }

  @Test
  void findsFailuresWhereNoneIsAllowed() {
    Window calm = new Window(8 * SECOND, 9 * SECOND, "a switchover");
    finds(
        history -> {
          history.calm.add(calm);
          history.writes.add(write("f", "/f", Kind.ADDED, 8, new Refused("NOT_PRIMARY", "ask server-1")));
          direct(history, history.writes.size() - 1, "server-2");
        });
    finds(
        history -> {
          history.calm.add(calm);
          history.writes.add(write("f", "/f", Kind.ADDED, 8, new Unknown("timeout")));
        },
        Promise.NO_FAILURE);
    finds(
        history -> {
          history.calm.add(calm);
          history.failedReads.add(new FailedRead("reader", "server-1", 7 * SECOND, 8 * SECOND, "timeout"));
          history.failedReads.add(new FailedRead("reader", "server-1", 10 * SECOND, 11 * SECOND, "timeout"));
        },
        Promise.NO_FAILURE);
  }

  @Test
  void aSlowAnswerIsNoBrokenPromise() {
    Consumer<Edits> slow = history -> {
      history.calm.add(new Window(8 * SECOND, 9 * SECOND, "a switchover"));
      history.failedReads.add(new FailedRead("reader", "server-1", 4 * SECOND, 9 * SECOND, "timeout"));
    };
    finds(slow);
    assertThat(HistoryChecker.slowAnswers(edited(SOUND, slow))).hasSize(1);
    assertThat(HistoryChecker.slowAnswers(SOUND)).isEmpty();
  }
}
