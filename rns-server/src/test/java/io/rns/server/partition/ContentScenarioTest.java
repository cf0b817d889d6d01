package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.ContentRequest;
import io.rns.api.ContentRequest.Receive;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Metadata;
import io.rns.api.Outcome;
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
import io.rns.replication.partition.Partition;
import io.rns.replication.partition.PartitionMap;
import io.rns.server.namespace.ContentMoveDefect;
import io.rns.server.namespace.ContentTarget;
import io.rns.server.namespace.SimulatedGroup;
import io.rns.server.namespace.SimulatedGroup.Primary;
import io.rns.server.namespace.SimulatedTime;
import io.rns.api.Refused;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What {@link ContentHistory} has found. */
class ContentScenarioTest {
  private static final Target DIRECTORY = Target.of("/d");

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
    long unused = move(from, to, primary(to).arriving(directory));
    clear(from);
  }

  private long move(int from, int to, ContentTarget target) {
    return primary(from).departing(directory, to, target, false, step -> {}).move();
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
    List<Object[]> cut = new ArrayList<>();
    ContentTarget failing = before(primary(to).arriving(directory), step, arguments -> {
      cut.add(arguments);
      throw new RnsException(RnsError.UNAVAILABLE, "cut");
    });
    try {
      long unused = move(from, to, failing);
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

  @Test
  void anOfferThatComesLateDoesNotDeleteWhatWasGivenMeanwhile() {
    inTime(() -> {
      Object[] late = cut(0, 1, "receive");
      Object[] unused = cut(0, 1, "own");
      assertThat(groups.get(0).content(directory)).hasSize(1);
      Refused.with(
          RnsError.UNAVAILABLE, () -> primary(1).arriving(directory).receive((int) late[0], (long) late[1], 1, false),
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
    Map<Integer, GroupReport> reports = new TreeMap<>();
    for (int group = 1; group < groups.size(); group++) {
      int last = groups.get(group).states() - 1;
      reports.put(
          group,
          new GroupReport(
              group, groups.get(group).position(last), List.of(),
              groups.get(group).partitions(last).stream().filter(each -> !each.path().isRoot())
                  .map(GroupReport.Cut::of).toList()));
    }
    return Partitions.addReported(groups.get(0).partitions(groups.get(0).states() - 1), reports).stream()
        .filter(each -> each.root().equals(directory)).mapToInt(Partition::group).findFirst().orElse(0);
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
      ContentTarget changing = before(primary(1).arriving(directory), "sum", none -> {
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
          before(primary(1).arriving(directory), "receive", arguments -> afresh.add((boolean) arguments[3]));
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
      long unused2 = move(0, 1, before(primary(1).arriving(directory), "sum", none -> {
        EntryChange change = EntryChange.move(Target.of("/s"), DIRECTORY, EntryName.of("s"));
        Entry unused3 = write(0, UpdateRequest.of(change)).orThrow();
      }));
      assertThat(write(1, "id", add(inDirectory("s").child(EntryName.of("y"))))).isEqualTo(added);
    });
  }
}
