package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.ContentRequest.Freeze;
import io.rns.api.ContentRequest.Give;
import io.rns.api.ContentRequest.Offer;
import io.rns.api.DepartRequest;
import io.rns.api.ContentRequest;
import io.rns.api.ContentRequest.Receive;
import io.rns.api.ContentRequest.Step;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
import io.rns.api.Positions;
import io.rns.api.Position;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.api.WriteRequest;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.partition.Anchors;
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.server.namespace.ContentMoveDefect;
import io.rns.server.namespace.ContentTarget;
import io.rns.server.namespace.SimulatedGroup;
import io.rns.server.namespace.SimulatedGroup.Primary;
import io.rns.server.namespace.SimulatedTime;
import io.rns.server.partition.AssignedJson.ProgressJson;
import io.rns.api.Refused;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What {@link ContentHistory} has found. */
class ContentScenarioTest {
  private static final Target DIRECTORY = Target.of("/d");
  /** Longer than who asks for the end of a move waits, or is told of it. */
  private static final Duration SLOW = Duration.ofSeconds(5);

  private final SimulatedTime time = new SimulatedTime(1);
  private final List<SimulatedGroup> groups = new ArrayList<>();
  private EntryId directory = EntryId.ROOT;

  /** Runs a scenario over three groups, of which the first one has a directory with an entry. */
  private void inTime(Runnable scenario) {
    for (int number = 0; number < 3; number++) {
      groups.add(
          new SimulatedGroup(
              number, time, new SplittableRandom(number), ContentMoveDefect.NONE, (call, outcomes) -> {}));
    }
    time.start(new SimulatedTime.Machine(), () -> {
      directory = write(0, AddRequest.of(NewEntry.directory(DIRECTORY))).orThrow().id();
      Entry unused = write(0, add(Target.of("/d/x"))).orThrow();
      scenario.run();
    });
    time.runFor(Duration.ofMinutes(1));
  }

  @AfterEach
  void close() {
    time.close();
  }

  private static WriteRequest add(Target target) {
    return AddRequest.of(NewEntry.junction(target, EndpointReference.ofAddress("urn:x")));
  }

  private Primary primary(int group) {
    return groups.get(group).primary();
  }

  private ContentTarget arriving(int group, EntryId of) {
    return primary(group).arriving(of, (other, asked) -> primary(other).ownership(asked));
  }

  private Outcome<Entry> write(int group, WriteRequest request) {
    return primary(group).write(CallContext.ANONYMOUS, request).value().getFirst();
  }

  private Outcome<Entry> write(int group, String id, WriteRequest request) {
    return primary(group).write(CallContext.ANONYMOUS.with(new RequestId(id)), request).value().getFirst();
  }

  private Target inDirectory(String name) {
    return Target.of(directory).child(EntryName.of(name));
  }

  private void move(int from, int to) {
    long unused = move(from, to, arriving(to, directory));
    clear(from);
  }

  private long move(int from, int to, ContentTarget target) {
    return move(directory, from, to, target);
  }

  private long move(EntryId of, int from, int to, ContentTarget target) {
    return primary(from).departing(of, to, target, ContentMoves.KEPT_BYTES, false, step -> {}).move();
  }

  /** Moves the content of a directory, of which the other group deletes a copy first. */
  private void moveWhereACopyIs(EntryId of, int from, int to) {
    Refused.with(RnsError.BUSY, () -> move(of, from, to, arriving(to, of)), "copy");
    clear(to);
    long unused = move(of, from, to, arriving(to, of));
    clear(from);
  }

  private void clear(int group) {
    while (!groups.get(group).isCleared()) {
      groups.get(group).clear();
    }
  }

  /** The target of a move, before one of whose steps something happens. */
  private static ContentTarget before(ContentTarget target, String step, Consumer<Object[]> happening) {
    return (ContentTarget) Proxy.newProxyInstance(
        ContentTarget.class.getClassLoader(), new Class<?>[]{ContentTarget.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals(step)) {
            happening.accept(arguments);
          }
          try {
            return method.invoke(target, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  /** A move that ends with a step of the other group that does not reach it; what that step had to say. */
  private Object[] cut(int from, int to, String step) {
    return cut(directory, from, to, step);
  }

  private Object[] cut(EntryId of, int from, int to, String step) {
    List<Object[]> cut = new ArrayList<>();
    ContentTarget failing = before(arriving(to, of), step, arguments -> {
      cut.add(arguments);
      throw new RnsException(RnsError.UNAVAILABLE, "cut");
    });
    try {
      long unused = move(of, from, to, failing);
    } catch (RnsException e) {
      assertThat(e).hasMessage("cut");
    }
    return cut.getFirst();
  }

  /** The answer to a change of the root, such as of its access rules, is about an entry that is in no directory. */
  @Test
  void contentMovesAfterTheRootHasChanged() {
    inTime(() -> {
      UpdateRequest root = UpdateRequest.of(EntryChange.metadata(Target.ROOT, Metadata.of(Map.of("k", "v"))));
      Outcome<Entry> changed = write(0, "root", root);
      assertThat(changed).isInstanceOf(Outcome.Done.class);
      move(0, 1);
      assertThat(groups.get(1).owns(directory)).isTrue();
      assertThat(write(0, "root", root)).isEqualTo(changed);
    });
  }

  /** It has the rules above them, and their paths, as they were when it was made. */
  @Test
  void aCopyOfContentThatAnotherGroupOwnsHasNoCuts() {
    inTime(() -> {
      move(0, 1);
      EntryId inside = write(1, AddRequest.of(NewEntry.directory(inDirectory("n")))).orThrow().id();
      Entry unused = primary(1).assign(Target.of(inside), 2, 0).orThrow();
      Object[] unused2 = cut(1, 0, "sum");
      assertThat(groups.getFirst().content(directory)).containsKey("/n");
      assertThat(cuts(0)).containsExactly(directory);
      assertThat(cuts(1)).containsExactly(inside);
    });
  }

  private EntryId inside() {
    return write(0, AddRequest.of(NewEntry.directory(Target.of("/d/s")))).orThrow().id();
  }

  private void addInside(int group, EntryId inside, String name) {
    Entry unused = write(group, add(Target.of(inside).child(EntryName.of(name)))).orThrow();
  }

  @Test
  void anEmptyDirectoryIsServedByAGroupWithACopyOfItThatAnInterruptedMoveOfContentAboveHasLeft() {
    inTime(() -> {
      EntryId inside = inside();
      Object[] unused = cut(0, 1, "sum");
      assertThat(groups.get(1).content(directory)).containsKey("/s");
      long epoch = primary(0).assign(Target.of("/d/s"), 1, 0).orThrow().version();

      Refused.with(RnsError.BUSY, () -> primary(1).serve(inside, epoch), "a former copy");
      clear(1);
      primary(1).serve(inside, epoch);

      addInside(1, inside, "y");
      assertThat(groups.get(1).content(inside).keySet()).containsExactly("/y");
      assertThat(groups.get(1).content(directory)).isEmpty();
      Refused.with(RnsError.INVALID_REQUEST, () -> move(0, 1, arriving(1, directory)), "belongs to");
      move(0, 2);
      assertThat(cuts(2)).containsExactly(inside);
    });
  }

  @Test
  void contentComesToAGroupWithACopyOfItsDirectoryThatAnInterruptedMoveOfContentAboveHasLeft() {
    inTime(() -> {
      EntryId inside = inside();
      addInside(0, inside, "y");
      Object[] unused = cut(0, 1, "sum");
      addInside(0, inside, "z");

      moveWhereACopyIs(inside, 0, 1);

      addInside(1, inside, "last");
      assertThat(groups.get(1).content(inside).keySet()).containsExactly("/last", "/y", "/z");
      move(inside, 1, 0, arriving(0, inside));
      assertThat(groups.get(0).content(directory).keySet())
          .containsExactly("/s", "/s/last", "/s/y", "/s/z", "/x");
    });
  }

  @Test
  void contentComesToAGroupWithACopyOfSomeOfItThatAnInterruptedMoveOfOtherContentHasLeft() {
    inTime(() -> {
      EntryId inside = inside();
      addInside(0, inside, "y");
      EntryId other = write(0, AddRequest.of(NewEntry.directory(Target.of("/e")))).orThrow().id();
      Object[] unused = cut(0, 1, "sum");
      EntryChange change = EntryChange.move(Target.of("/d/s"), Target.of("/e"), EntryName.of("s"));
      Entry unused2 = write(0, UpdateRequest.of(change)).orThrow();

      moveWhereACopyIs(other, 0, 1);

      assertThat(groups.get(1).content(other).keySet()).containsExactly("/s", "/s/y");
      move(0, 1);
      assertThat(groups.get(1).content(directory).keySet()).containsExactly("/x");
    });
  }

  /** It would be deleted with the content, or find no place where that was. */
  @Test
  void contentIsNotGivenAwayBeforeContentBelowHasArrived() {
    inTime(() -> {
      EntryId inside = inside();
      addInside(0, inside, "y");
      long unused = move(inside, 0, 1, arriving(1, inside));
      clear(0);
      Object[] unused2 = cut(inside, 1, 0, "own");

      Refused.with(RnsError.UNAVAILABLE, () -> move(0, 2, arriving(2, directory)), "to be completed first");
      new GivenContent(0, (of, asked) -> primary(of).ownership(asked)).follow(
          new SimulatedServers.Rows(groups.getFirst(), primary(0)),
          new PartitionMap(
              List.of(
                  PartitionMap.whole(0).partitions().getFirst(),
                  new Partition(Target.of("/d/s").path(), inside, 0, primary(0).row(inside).version()))));
      move(0, 2);

      assertThat(groups.get(2).content(directory).keySet()).containsExactly("/s", "/s/y", "/x");
    });
  }

  /** It may be complete, and the group about to own it. */
  @Test
  void contentDoesNotMoveIntoACopyThatIsNotOwnedYet() {
    inTime(() -> {
      EntryId inside = inside();
      addInside(0, inside, "y");
      long unused = move(inside, 0, 1, arriving(1, inside));
      clear(0);
      Object[] unused2 = cut(0, 2, "own");

      Refused.with(
          RnsError.UNAVAILABLE, () -> move(inside, 1, 2, arriving(2, inside)), "to be completed first");
      follow(2, 2);
      long unused3 = move(inside, 1, 2, arriving(2, inside));

      assertThat(groups.get(2).content(directory).keySet()).containsExactly("/s", "/s/y", "/x");
    });
  }

  @Test
  void contentGivenBeforeItsEntryMovedIsServed() {
    inTime(() -> {
      EntryId inside = inside();
      addInside(0, inside, "y");
      Object[] unused = cut(inside, 0, 2, "own");
      move(0, 1);

      new GivenContent(2, (of, asked) -> primary(of).ownership(asked))
          .follow(new SimulatedServers.Rows(groups.get(2), primary(2)), map());

      assertThat(groups.get(2).owns(inside)).isTrue();
      assertThat(groups.get(2).content(inside).keySet()).containsExactly("/y");
    });
  }

  /** The group that copies it knew of the owner before. */
  @Test
  void aDirectoryThatIsNoLongerAPartitionIsNoneWhereItsContentMoves() {
    inTime(() -> {
      EntryId inside = inside();
      addInside(0, inside, "y");
      long unused = move(inside, 0, 2, arriving(2, inside));
      clear(0);
      Object[] unused2 = cut(0, 1, "sum");
      long unused3 = move(inside, 2, 0, arriving(0, inside));

      time.start(new SimulatedTime.Machine(), () -> clearSoon(1));
      move(0, 1);

      assertThat(cuts(1)).isEmpty();
      assertThat(groups.get(1).content(directory).keySet()).containsExactly("/s", "/s/y", "/x");
    });
  }

  @Test
  void contentComesToTheRootsGroupWithoutItsEntry() {
    inTime(() -> {
      EntryId inside = inside();
      addInside(0, inside, "y");
      long unused = move(inside, 0, 2, arriving(2, inside));
      clear(0);
      move(0, 1);
      unused = move(inside, 2, 0, arriving(0, inside));
      assertThat(groups.get(0).owns(inside)).isTrue();
      assertThat(groups.get(0).content(inside).keySet()).containsExactly("/y");
      assertThat(groups.get(0).content(EntryId.ROOT).keySet()).containsExactly("/d");
    });
  }

  /** What was removed meanwhile is in the log of the other group. */
  @Test
  void contentThatLeavesWithWhatIsAroundItAndComesBackMovesAsItIsThen() {
    inTime(() -> {
      EntryId inside = inside();
      addInside(0, inside, "y");
      Refused.with(
          RnsError.UNAVAILABLE,
          () -> primary(0).departing(inside, 1, arriving(1, inside), ContentMoves.KEPT_BYTES, false, step -> {
            if (step instanceof Freeze) {
              move(0, 2);
              RemoveRequest removal = RemoveRequest.of(Removal.of(new Target(inside, Target.of("/y").path())));
              Entry unused = write(2, removal).orThrow();
              move(2, 0);
            }
          }).move(), "come back");

      // The copy begins afresh.
      Refused.with(RnsError.BUSY, () -> move(inside, 0, 1, arriving(1, inside)), "being deleted");
      clear(1);
      long unused = move(inside, 0, 1, arriving(1, inside));
      assertThat(groups.get(1).content(inside)).isEmpty();
    });
  }

  /** What comes with it is no change of the moving content in an earlier round. */
  @Test
  void contentThatComesIntoContentThatMovesMovesAlong() {
    inTime(() -> {
      EntryId inside = inside();
      addInside(0, inside, "y");
      long unused = move(inside, 0, 2, arriving(2, inside));
      clear(0);
      time.start(new SimulatedTime.Machine(), () -> clearSoon(1));
      List<Object[]> given = new ArrayList<>();
      ContentTarget target = before(arriving(1, directory), "sum", arguments -> given.add(cut(inside, 2, 0, "own")));
      unused = primary(0).departing(directory, 1, target, ContentMoves.KEPT_BYTES, false, step -> {
        if (step instanceof Freeze && !groups.get(0).owns(inside)) {
          own(0, inside, given.getFirst());
        }
      }).move();

      assertThat(groups.get(1).content(directory).keySet()).containsExactly("/s", "/s/y", "/x");
    });
  }

  /** An owner takes over whose last step was cut off. */
  private void own(int group, EntryId of, Object[] own) {
    arriving(group, of).own((long) own[0], (Positions) own[1], (long) own[2]);
  }

  /** It would be deleted with what is around it. */
  @Test
  void contentIsHandedOverOnceContentInsideHasArrived() {
    inTime(() -> {
      EntryId inside = inside();
      addInside(0, inside, "y");
      long unused = move(inside, 0, 2, arriving(2, inside));
      clear(0);
      time.start(new SimulatedTime.Machine(), () -> clearSoon(1));
      List<Object[]> given = new ArrayList<>();
      unused = primary(0).departing(directory, 1, arriving(1, directory), ContentMoves.KEPT_BYTES, false, step -> {
        if (step instanceof Freeze && given.isEmpty()) {
          given.add(cut(inside, 2, 0, "own"));
          time.start(new SimulatedTime.Machine(), () -> {
            time.pause(SLOW);
            own(0, inside, given.getFirst());
          });
        }
      }).move();

      assertThat(groups.get(1).content(directory).keySet()).containsExactly("/s", "/s/y", "/x");
      assertThat(groups.get(1).owns(inside)).isTrue();
    });
  }

  private void clearSoon(int group) {
    for (int times = 0; times < 200; times++) {
      time.pause(Duration.ofMillis(50));
      clear(group);
    }
  }

  /** Only it can tell group 1 that the content was given there. */
  @Test
  void aGroupTakesNoEntryInPlaceOfAGiftThatHasNotBeenTaken() {
    inTime(() -> {
      EntryId inside = inside();
      addInside(0, inside, "y");
      long unused = move(inside, 0, 2, arriving(2, inside));
      clear(0);
      Object[] unused2 = cut(inside, 2, 1, "own");
      primary(0).point(inside, 1, primary(0).row(inside).version());

      clear(2);

      Refused.with(RnsError.UNAVAILABLE, () -> move(0, 2), "has not begun to own");
      new GivenContent(1, (of, asked) -> primary(of).ownership(asked))
          .follow(new SimulatedServers.Rows(groups.get(1), primary(1)), map());
      move(0, 2);

      assertThat(groups.get(1).owns(inside)).isTrue();
      assertThat(groups.get(1).content(inside).keySet()).containsExactly("/y");
    });
  }

  /** It has given the content to group 2, which does not know that yet, and then the entry to group 1. */
  @Test
  void aGroupDoesNotServeWhatItIsStillDeleting() {
    inTime(() -> {
      EntryId inside = inside();
      addInside(0, inside, "y");
      Object[] unused = cut(inside, 0, 2, "own");
      clear(0);
      long unused2 = move(0, 1, arriving(1, directory));
      assertThat(map().partitions()).anyMatch(each -> each.root().equals(inside) && each.group() == 0);
      GivenContent.Rows rows = new SimulatedServers.Rows(groups.get(0), primary(0));
      GivenContent.Rows slow = (GivenContent.Rows) Proxy.newProxyInstance(
          GivenContent.Rows.class.getClassLoader(), new Class<?>[]{GivenContent.Rows.class},
          (proxy, method, arguments) -> {
            if (method.getName().equals("serve")) {
              clear(0);
            }
            return method.invoke(rows, arguments);
          });

      new GivenContent(0, (of, asked) -> primary(of).ownership(asked)).serve(slow, map(), new HashSet<>());

      assertThat(groups.get(0).owns(inside)).isFalse();
    });
  }

  private ContentMoves moves() {
    SimulatedTime.Machine machine = new SimulatedTime.Machine();
    return new ContentMoves(
        0, time, task -> time.start(machine, task), (from, inside) -> {
          long unused = move(inside, from, 0, arriving(0, inside));
          return true;
        });
  }

  private ProgressJson give(ContentMoves moves, int to, ContentTarget target, Consumer<Step> before) {
    return moves.give(
        directory, to, () -> primary(0).row(directory).owner(),
        next -> primary(0).departing(directory, next, target, ContentMoves.KEPT_BYTES, false, before));
  }

  @Test
  void aGroupGetsTheContentAroundItsOwn() {
    inTime(() -> {
      EntryId inside = inside();
      addInside(0, inside, "y");
      long unused = move(inside, 0, 1, arriving(1, inside));
      clear(0);
      time.start(new SimulatedTime.Machine(), () -> clearSoon(1));
      ContentMoves moves = moves();
      while (!give(moves, 1, arriving(1, directory), step -> {}).isOver()) {
        time.pause(Duration.ofMillis(1));
      }
      assertThat(groups.get(1).content(directory).keySet()).containsExactly("/s", "/s/y", "/x");
      assertThat(map().partitions()).extracting(Partition::root).containsExactly(EntryId.ROOT, directory);
    });
  }

  private Optional<ProgressJson> cancel(ContentMoves moves) {
    return moves.cancel(directory, () -> primary(0).row(directory).owner());
  }

  @Test
  void aMoveEndsWhenItsContentIsToStay() {
    inTime(() -> {
      ContentMoves moves = moves();
      ContentTarget slow = before(arriving(1, directory), "insert", arguments -> time.pause(SLOW));
      assertThat(give(moves, 1, slow, step -> {}).isOver()).isFalse();
      Refused.with(
          RnsError.INVALID_REQUEST, () -> give(moves, 2, slow, step -> {}),
          "is moving to server group 1 at this moment; to cancel that, assign it to server group 0");

      assertThat(cancel(moves).orElseThrow().phase()).isEqualTo("cancelling");
      time.pause(SLOW);
      for (int times = 0; times < 2; times++) {
        assertThat(cancel(moves).orElseThrow()).isEqualTo(new ProgressJson("cancelled", 1, 0L));
        Refused.with(RnsError.INVALID_REQUEST, () -> give(moves, 1, slow, step -> {}), "was cancelled");
      }
      time.pause(SLOW);
      assertThat(cancel(moves)).isEmpty();
      assertThat(primary(0).row(directory).owner()).isEmpty();

      while (!give(moves, 1, arriving(1, directory), step -> {}).isOver()) {
        time.pause(SLOW);
      }
      assertThat(groups.get(1).content(directory).keySet()).containsExactly("/x");
    });
  }

  @Test
  void theCopyOfACancelledMoveIsDeleted() {
    inTime(() -> {
      ContentMoves moves = moves();
      ContentTarget slow = before(arriving(1, directory), "sum", arguments -> time.pause(SLOW));
      assertThat(give(moves, 1, slow, step -> {}).isOver()).isFalse();
      assertThat(groups.get(1).content(directory).keySet()).containsExactly("/x");
      assertThat(cancel(moves).orElseThrow().phase()).isEqualTo("cancelling");
      time.pause(SLOW);
      assertThat(cancel(moves).orElseThrow().phase()).isEqualTo(ProgressJson.CANCELLED);
      clear(1);
      assertThat(groups.get(1).content(directory)).isEmpty();
      assertThat(primary(1).row(directory).owner()).hasValue(0);
      assertThat(groups.get(0).content(directory).keySet()).containsExactly("/x");
      time.pause(SLOW);

      while (!give(moves, 1, arriving(1, directory), step -> {}).isOver()) {
        time.pause(SLOW);
      }
      assertThat(groups.get(1).content(directory).keySet()).containsExactly("/x");
    });
  }

  /** Of a step that was sent before the next move began. */
  @Test
  void aLateEndOfACancelledMoveDoesNotDeleteTheNextCopy() {
    inTime(() -> {
      ContentTarget target = arriving(1, directory);
      long former = target.receive(0, primary(0).row(directory).version(), 1, false).token();
      move(0, 1);
      Refused.with(RnsError.UNAVAILABLE, () -> arriving(1, directory).abandon(former), "another move");
      assertThat(groups.get(1).content(directory).keySet()).containsExactly("/x");
    });
  }

  @Test
  void aMoveThatComesToItsEndIsNotCancelled() {
    inTime(() -> {
      ContentMoves moves = moves();
      ContentTarget target = before(arriving(1, directory), "own", arguments -> time.pause(SLOW));
      assertThat(give(moves, 1, target, step -> {}).isOver()).isFalse();
      assertThat(cancel(moves).orElseThrow().phase()).isEqualTo("cancelling");
      time.pause(SLOW);
      assertThat(cancel(moves)).isEmpty();
      assertThat(groups.get(1).owns(directory)).isTrue();
    });
  }

  private List<EntryId> cuts(int group) {
    SimulatedGroup of = groups.get(group);
    return of.partitions(of.states() - 1).stream().skip(1).map(Partition::root).toList();
  }

  @Test
  void aGroupThatKnowsTooManyDirectoriesOfOthersTakesInNoMore() {
    inTime(() -> {
      for (int cuts = 0; cuts < Limits.PARTITIONS; cuts++) {
        Entry unused =
            write(1, new ContentRequest(new EntryId(1_000_000 + cuts), new Receive(0, 1, 1, false))).orThrow();
      }
      Refused.with(RnsError.LIMIT_EXCEEDED, () -> move(0, 1), "the limit is " + Limits.PARTITIONS);
      assertThat(primary(0).row(directory).owner()).isEmpty();
    });
  }

  /** Without a row of their own nobody would find out who owns their content. */
  @Test
  void aGroupThatWouldKnowTooManyDirectoriesOfOthersByContentTakesNothingOfItIn() {
    inTime(() -> {
      for (String inside : List.of("s", "t")) {
        Entry made = write(0, AddRequest.of(NewEntry.directory(inDirectory(inside)))).orThrow();
        long unused = primary(0).assign(Target.of(made.id()), 2, 0).orThrow().version();
      }
      for (int cuts = 0; cuts < Limits.PARTITIONS - 2; cuts++) {
        Entry unused =
            write(1, new ContentRequest(new EntryId(1_000_000 + cuts), new Receive(0, 1, 1, false))).orThrow();
      }
      Refused.with(RnsError.LIMIT_EXCEEDED, () -> move(0, 1), "more than " + Limits.PARTITIONS + " directories");
      assertThat(primary(0).row(directory).owner()).isEmpty();
      clear(1);
      assertThat(groups.get(1).content(directory)).isEmpty();
    });
  }

  @Test
  void aDirectoryInsideThatIsGivenAwayAfterItWasCopiedIsKnownToBelongToAnotherGroup() {
    inTime(() -> {
      EntryId inside = inside();
      ContentTarget copied = before(arriving(1, directory), "sum", arguments -> {
        if (primary(0).row(inside).owner().isEmpty()) {
          long unused = primary(0).assign(Target.of(inside), 2, 0).orThrow().version();
        }
      });
      long unused = move(0, 1, copied);
      assertThat(groups.get(1).owns(directory)).isTrue();
      assertThat(cuts(1)).containsExactly(inside);
    });
  }

  /** It would no longer be marked, so that entries could be added to what the other group has by then. */
  @Test
  void theContentOfADirectoryThatIsMovingToAnotherGroupIsNotOffered() {
    inTime(() -> {
      EntryId inside = inside();
      Target destination = Target.of(new EntryId(1L << 48));
      Entry unused = write(0, new DepartRequest(EntryChange.move(Target.of(inside), destination, EntryName.of("s")), 1))
          .orThrow();
      Refused.with(
          RnsError.UNAVAILABLE, () -> write(0, new ContentRequest(inside, new Offer(0))), "'s' is moving to another");
      Refused.with(RnsError.BUSY, () -> write(0, add(Target.of(inside).child(EntryName.of("y")))), "moving");
    });
  }

  /** Another primary may have had it copied since: what the next owner has need not be complete then. */
  @Test
  void contentIsNotGivenAwayThatAnEarlierPrimaryOffered() {
    inTime(() -> {
      EntryId id = directory;
      int offered = groups.get(0).position(groups.get(0).states() - 1).epoch();
      groups.get(0).failOver();
      Entry unused = write(0, new ContentRequest(id, new Freeze(7))).orThrow();
      Refused.with(
          RnsError.UNAVAILABLE, () -> write(0, new ContentRequest(id, new Give(1, 7, 1, offered))),
          "another server was the primary since");
      assertThat(write(0, new ContentRequest(id, new Give(1, 7, 1, offered + 1)))).isInstanceOf(Outcome.Done.class);
    });
  }

  @Test
  void anOfferThatComesLateDoesNotDeleteWhatWasGivenMeanwhile() {
    inTime(() -> {
      Object[] late = cut(0, 1, "receive");
      Object[] unused = cut(0, 1, "own");
      assertThat(groups.get(0).content(directory)).hasSize(1);
      Refused.with(
          RnsError.UNAVAILABLE, () -> arriving(1, directory).receive((int) late[0], (long) late[1], 1, false),
          "has begun since");
      follow(1, 1);
      assertThat(groups.get(1).owns(directory)).isTrue();
      assertThat(groups.get(1).content(directory).keySet()).containsExactly("/x");
    });
  }

  /** A primary looks for interrupted moves with a map that has an owner of the directory. */
  private void follow(int group, int mapped) {
    PartitionMap map = new PartitionMap(
        List.of(
            PartitionMap.whole(0).partitions().getFirst(),
            new Partition(DIRECTORY.path(), directory, mapped, primary(0).row(directory).version())));
    new GivenContent(group, (of, asked) -> primary(of).ownership(asked))
        .follow(new SimulatedServers.Rows(groups.get(group), primary(group)), map);
  }

  @Test
  void aFormerOwnerDoesNotTakeBackWhatItHasGiven() {
    inTime(() -> {
      Object[] unused = cut(0, 1, "own");
      follow(0, 0);
      assertThat(groups.get(0).owns(directory)).isFalse();
      follow(1, 1);
      assertThat(groups.get(1).owns(directory)).isTrue();
    });
  }

  private int mapped() {
    return map().partitions().stream().filter(each -> each.root().equals(directory)).mapToInt(Partition::group)
        .findFirst().orElse(0);
  }

  private PartitionMap map() {
    Map<Integer, GroupReport> reports = new TreeMap<>();
    for (int group = 1; group < groups.size(); group++) {
      int last = groups.get(group).states() - 1;
      reports.put(
          group,
          new GroupReport(
              group, groups.get(group).position(last), List.of(),
              GroupReport.cuts(Anchors.IN_ROOT, groups.get(group).partitions(last))));
    }
    return new PartitionMap(
        Partitions.addReported(groups.get(0).partitions(groups.get(0).states() - 1), reports));
  }

  @Test
  void ofTwoGroupsThatLeadToEachOtherTheMapHasTheOneThatTakesIn() {
    inTime(() -> {
      Object[] unused = cut(0, 1, "own");
      assertThat(mapped()).isEqualTo(1);
      follow(1, 1);
      clear(0);
      Object[] unused2 = cut(1, 0, "own");
      assertThat(mapped()).isEqualTo(0);
      follow(0, 0);
      assertThat(groups.get(0).owns(directory)).isTrue();
    });
  }

  @Test
  void whatWasKnownBeforeAMoveDoesNotTurnItAround() {
    inTime(() -> {
      move(0, 1);
      long version = primary(0).row(directory).version();
      move(1, 2);
      Object[] unused = cut(2, 0, "own");
      primary(0).point(directory, 1, version);
      assertThat(primary(0).row(directory).owner()).isEqualTo(OptionalInt.of(2));
    });
  }

  @Test
  void anOwnerReflectsAllFormerOnes() {
    inTime(() -> {
      move(0, 1);
      Position given = groups.get(0).position(groups.get(0).states() - 1);
      move(1, 2);
      assertThat(groups.get(2).reflected(groups.get(2).states() - 1).covers(given)).isTrue();
    });
  }

  @Test
  void aRequestIsAnsweredAsBeforeWhereItsContentIsBack() {
    inTime(() -> {
      move(0, 1);
      Outcome<Entry> added = write(1, "id", add(inDirectory("y")));
      move(1, 0);
      assertThat(write(0, "id", add(Target.of("/d/y")))).isEqualTo(added);
    });
  }

  private List<Outcome<Entry>> write(int group, String id, boolean allOrNothing, Target... targets) {
    List<NewEntry> entries = Arrays.stream(targets).map(NewEntry::directory).toList();
    CallContext call = CallContext.ANONYMOUS.with(new RequestId(id));
    return primary(group).write(call, new AddRequest(entries, false, allOrNothing)).value();
  }

  @Test
  void aBatchThatWasRefusedAsAWholeWhereItsContentWasNotIsAnsweredAsBeforeWhereItIsBack() {
    inTime(() -> {
      move(0, 1);
      List<Outcome<Entry>> elsewhere = write(0, "id", true, Target.of("/d/y"), Target.of("/d/z"));
      assertThat(elsewhere.getFirst()).isInstanceOfSatisfying(
          Outcome.Refused.class, refused -> assertThat(refused.refusal().error()).isEqualTo(RnsError.DELEGATED));
      List<Outcome<Entry>> added = write(1, "id", true, inDirectory("y"), inDirectory("z"));
      move(1, 0);
      assertThat(write(0, "id", true, Target.of("/d/y"), Target.of("/d/z"))).isEqualTo(added);
    });
  }

  @Test
  void theAnswersOfGroupsToTheirPartsOfABatchAreOneWhereAllOfItIsBack() {
    inTime(() -> {
      Entry unused = write(0, AddRequest.of(NewEntry.directory(Target.of("/e")))).orThrow();
      move(0, 1);
      Target[] all = {Target.of("/d/y"), Target.of("/e/y"), Target.of("/d/z")};
      List<Outcome<Entry>> here = write(0, "id", false, all);
      assertThat(here).extracting(Outcome.Done.class::isInstance).containsExactly(false, true, false);
      List<Outcome<Entry>> there = write(1, "id", false, inDirectory("y"), inDirectory("z"));
      move(1, 0);
      List<Outcome<Entry>> expected = List.of(there.getFirst(), here.get(1), there.getLast());
      groups.get(0).failOver();
      assertThat(write(0, "id", false, all)).isEqualTo(expected);
      move(0, 2);
      assertThat(write(0, "id", false, Target.of("/e/y"))).containsExactly(here.get(1));
      assertThat(write(2, "id", false, inDirectory("y"), inDirectory("z"))).isEqualTo(there);
    });
  }

  @Test
  void aDirectoryThatIsEmptyAgainTakesItsAnswersAlong() {
    inTime(() -> {
      Outcome<Entry> added = write(0, "id", add(Target.of("/d/y")));
      for (String name : List.of("x", "y")) {
        Entry unused = write(0, RemoveRequest.of(Removal.of(Target.of("/d/" + name)))).orThrow();
      }
      assertThat(primary(0).assign(DIRECTORY, 1, 0)).isEqualTo(Outcome.refused(new Refusal.NotEmpty(DIRECTORY, 0)));
      move(0, 1);
      assertThat(write(1, "id", add(inDirectory("y")))).isEqualTo(added);
      assertThat(groups.get(1).content(directory)).isEmpty();
    });
  }

  @Test
  void aGroupThatDoesNotKnowWhereARequestBeginsKeepsNoAnswer() {
    inTime(() -> {
      Answer<List<Outcome<Entry>>> unknown =
          primary(1).write(CallContext.ANONYMOUS.with(new RequestId("id")), add(inDirectory("y")));
      assertThat(unknown.value().getFirst()).isInstanceOf(Outcome.Refused.class);
      move(0, 1);
      assertThat(write(1, "id", add(inDirectory("y")))).isInstanceOf(Outcome.Done.class);
    });
  }

  @Test
  void aDirectoryThatHadContentIsKnownToHaveHadSomeWhenThatIsBack() {
    inTime(() -> {
      move(0, 1);
      groups.get(0).failOver();
      move(1, 0);
      Entry unused = write(0, RemoveRequest.of(Removal.of(Target.of("/d/x")))).orThrow();
      groups.get(0).failOver();
      assertThat(primary(0).assign(DIRECTORY, 1, 0)).isEqualTo(Outcome.refused(new Refusal.NotEmpty(DIRECTORY, 0)));
    });
  }

  @Test
  void whatIsBelowADirectoryThatAnInterruptedMoveWasReplacingDoesNotComeLoose() {
    inTime(() -> {
      Entry unused = write(0, AddRequest.of(NewEntry.directory(Target.of("/d/s")))).orThrow();
      Entry unused2 = write(0, add(Target.of("/d/s/y"))).orThrow();
      boolean[] changed = {false};
      ContentTarget changing = before(arriving(1, directory), "sum", none -> {
        EntryChange change = EntryChange.metadata(Target.of("/d/s"), Metadata.of(Map.of("v", "changed")));
        Entry unused3 = write(0, UpdateRequest.of(change)).orThrow();
        changed[0] = true;
      });
      ContentTarget failing = before(changing, "insert", none -> {
        if (changed[0]) {
          throw new RnsException(RnsError.UNAVAILABLE, "cut");
        }
      });
      Refused.with(RnsError.UNAVAILABLE, () -> move(0, 1, failing), "cut");
      Map<String, Entry> content = groups.get(0).content(directory);
      move(0, 1);
      assertThat(groups.get(1).content(directory)).hasSize(3).isEqualTo(content);
    });
  }

  @Test
  void aCopyThatDiffersFromWhatItsOwnerKnowsOfItBeginsAfresh() {
    inTime(() -> {
      Object[] unused = cut(0, 1, "sum");
      // Content that was elsewhere meanwhile: what has happened there, the log of the owner does not say.
      move(0, 2);
      Entry unused2 = write(2, RemoveRequest.of(Removal.of(inDirectory("x")))).orThrow();
      Entry unused3 = write(2, add(inDirectory("y"))).orThrow();
      move(2, 0);
      List<Boolean> afresh = new ArrayList<>();
      ContentTarget target =
          before(arriving(1, directory), "receive", arguments -> afresh.add((boolean) arguments[3]));
      Refused.with(RnsError.BUSY, () -> move(0, 1, target), "is being deleted");
      assertThat(afresh).containsExactly(false, true);
      clear(1);
      move(0, 1);
      assertThat(groups.get(1).content(directory).keySet()).containsExactly("/y");
    });
  }

  @Test
  void aDirectoryThatComesIntoTheContentWhileThatMovesBringsItsAnswers() {
    inTime(() -> {
      Entry unused = write(0, AddRequest.of(NewEntry.directory(Target.of("/s")))).orThrow();
      Outcome<Entry> added = write(0, "id", add(Target.of("/s/y")));
      long unused2 = move(0, 1, before(arriving(1, directory), "sum", none -> {
        EntryChange change = EntryChange.move(Target.of("/s"), DIRECTORY, EntryName.of("s"));
        Entry unused3 = write(0, UpdateRequest.of(change)).orThrow();
      }));
      assertThat(write(1, "id", add(inDirectory("s").child(EntryName.of("y"))))).isEqualTo(added);
    });
  }
}
