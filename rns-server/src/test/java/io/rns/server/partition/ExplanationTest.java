package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Explanation;
import io.rns.api.Hop;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.HopStep;
import io.rns.api.Target;
import io.rns.api.Right;
import io.rns.api.EntryName;
import io.rns.api.AccessRules;
import io.rns.api.AccessRule;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.api.UpdateRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Positions;
import io.rns.api.Metadata;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.Set;
import java.util.Optional;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The way of lookups in a tree over three groups: 0 has the root, 1 has /a, 2 has /a/b/c. */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExplanationTest {
  private static final String ENTRY = "/a/b/c/d";

  @TempDir private static Path directory;

  private static TestTree tree;

  @BeforeAll
  static void start() {
    tree = new TestTree(directory, 3);
    add("/a");
    EntryId a = query(CallContext.ANONYMOUS, 0, "/a").orThrow().id();
    tree.assign(0, Target.of("/a"), 1);
    tree.teach();
    add("/a/b/c");
    tree.assign(1, new Target(a, RnsPath.parse("/b/c")), 2);
    tree.teach();
    add(ENTRY);
  }

  @AfterAll
  static void stop() {
    tree.close();
  }

  private static void add(String path) {
    NameService names = tree.groups.getFirst().client;
    names.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of(path))).withParents()).value()
        .forEach(Outcome::orThrow);
  }

  private static Outcome<Entry> query(CallContext call, int at, String path) {
    return tree.groups.get(at).client.query(call, QueryRequest.of(Target.of(path))).value().getFirst();
  }

  private static List<Hop> explain(Consistency consistency, int at, String path) {
    Explanation explanation = new Explanation();
    Outcome<Entry> unused = query(CallContext.ANONYMOUS.with(consistency).with(explanation), at, path);
    return explanation.hops();
  }

  private static List<Hop> explain(Positions seen, int at, String path) {
    Explanation explanation = new Explanation();
    Outcome<Entry> unused =
        query(CallContext.ANONYMOUS.withSeen(seen).with(explanation), at, path);
    return explanation.hops();
  }

  private static List<String> servers(List<Hop> hops) {
    return hops.stream().map(hop -> hop.level() + " " + hop.answered().orElseThrow().self().server()).toList();
  }

  private static List<HopStep> steps(Hop hop) {
    return hop.answered().orElseThrow().steps();
  }

  @Test
  void everyCutIsCrossedByTheEntriesWhereTheRootIsOwned() {
    List<Hop> hops = explain(Consistency.SESSION, 0, ENTRY);
    assertThat(servers(hops)).containsExactly("1 server-0", "2 server-1", "3 server-2");
    assertThat(steps(hops.get(0))).endsWith(new HopStep.Cut(1, 1, false));
    assertThat(steps(hops.get(1))).as("the depth is that of the caller's path").endsWith(new HopStep.Cut(3, 2, false));
    assertThat(steps(hops.get(2))).allMatch(HopStep.Copy.class::isInstance).hasSize(1);
    assertThat(hops).allSatisfy(
        hop -> {
          Hop.Asked asked = hop.asked().orElseThrow();
          Hop.Answered answered = hop.answered().orElseThrow();
          assertThat(asked.url()).isEqualTo(tree.groups.get(answered.self().group()).http.address().toString());
          assertThat(asked.failure()).isEmpty();
          assertThat(asked.micros()).isGreaterThanOrEqualTo(answered.micros());
          assertThat(answered.self().position().orElseThrow().group()).isEqualTo(answered.self().group());
        });
  }

  @Test
  void aServerFindsItsPartByItsMapOrAsksTheGroupOfTheRoot() {
    List<Hop> own = explain(Consistency.SESSION, 2, ENTRY);
    assertThat(servers(own)).containsExactly("1 server-2");
    assertThat(steps(own.getFirst())).startsWith(new HopStep.Cut(3, 2, true));
    List<Hop> latest = explain(Consistency.PRIMARY, 2, ENTRY);
    assertThat(servers(latest)).containsExactly("1 server-2", "2 server-0", "3 server-1", "4 server-2");
    assertThat(steps(latest.getFirst())).containsExactly(new HopStep.Root(0));
    List<Hop> other = explain(Consistency.SESSION, 1, ENTRY);
    assertThat(servers(other)).containsExactly("1 server-1", "2 server-2");
    assertThat(steps(other.getFirst())).containsExactly(new HopStep.Cut(3, 2, true));
  }

  /** Each session that wrote to the group of the root had every request to another group pass through it. */
  @Test
  void aServerFindsItsPartByItsMapWhateverASessionHasAddedOrUpdatedElsewhere() {
    NameService root = tree.groups.getFirst().client;
    Positions added =
        root.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(Target.of("/added")))).positions();
    assertThat(servers(explain(added, 2, ENTRY))).containsExactly("1 server-2");
    Metadata other = Metadata.of(Map.of("key", "value"));
    Positions updated =
        root.update(
            CallContext.ANONYMOUS, UpdateRequest.of(EntryChange.metadata(Target.of("/added"), other))).positions();
    assertThat(servers(explain(updated, 2, ENTRY))).containsExactly("1 server-2");
    Positions read = root.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of("/added"))).positions();
    assertThat(servers(explain(read, 2, ENTRY))).containsExactly("1 server-2");
  }

  @Test
  void aServerAsksTheGroupOfTheRootForASessionThatHasSeenARenamingARemovalOrOtherRulesThere() {
    NameService root = tree.groups.getFirst().client;
    add("/other");
    List<Supplier<Positions>> changes = List.of(
        () -> root.update(
            CallContext.ANONYMOUS, UpdateRequest.of(EntryChange.rename(Target.of("/other"), EntryName.of("another"))))
            .positions(),
        () -> root.update(
            CallContext.ANONYMOUS,
            UpdateRequest.of(
                EntryChange.metadata(
                    Target.of("/another"),
                    Metadata.NONE.with(
                        new AccessRules(
                            Optional.empty(),
                            Optional.of(List.of(new AccessRule("anyone", Set.of(Right.READ)))))))))
            .positions(),
        () -> root.remove(CallContext.ANONYMOUS, RemoveRequest.of(Removal.of(Target.of("/another")))).positions());
    for (Supplier<Positions> change : changes) {
      Positions seen = change.get();
      assertThat(servers(explain(seen, 2, ENTRY))).containsExactly("1 server-2", "2 server-0", "3 server-1",
          "4 server-2");
      add("/later");
      Positions later = root.query(CallContext.ANONYMOUS, QueryRequest.of(Target.of("/later"))).positions();
      assertThat(servers(explain(later, 2, ENTRY))).hasSize(4);
      Outcome<Entry> unused =
          root.remove(CallContext.ANONYMOUS, RemoveRequest.of(Removal.of(Target.of("/later")))).value().getFirst();
      tree.teach();
      assertThat(servers(explain(later, 2, ENTRY))).containsExactly("1 server-2");
    }
  }

  /** A forced one may have lost the changes that an older map has. */
  @Test
  void aServerAsksTheGroupOfTheRootForASessionThatHasSeenItsNextPrimary() {
    tree.groups.getFirst().replacePrimary();
    Positions seen =
        tree.groups.getFirst().client.query(CallContext.ANONYMOUS, QueryRequest.of(Target.ROOT)).positions();
    assertThat(servers(explain(seen, 2, ENTRY))).hasSize(4);
    tree.teach();
    assertThat(servers(explain(seen, 2, ENTRY))).containsExactly("1 server-2");
  }

  @Test
  void theSecondLookupIsAnsweredFromTheCache() {
    add("/cached");
    List<Hop> unused = explain(Consistency.SESSION, 0, "/cached");
    assertThat(explain(Consistency.SESSION, 0, "/cached")).singleElement()
        .satisfies(hop -> assertThat(steps(hop)).containsExactly(new HopStep.Copy(0)));
    assertThat(explain(Consistency.SESSION, 0, "/never-asked")).singleElement()
        .satisfies(hop -> assertThat(steps(hop)).containsExactly(new HopStep.Copy(1)));
  }

  @Test
  void theWayOfWhatIsRefusedIsExplained() {
    assertThat(servers(explain(Consistency.SESSION, 0, "/a/b/c/none"))).hasSize(3);
    assertThat(servers(explain(Consistency.SESSION, 1, "/a/none/none"))).hasSize(1);
  }

  @Test
  void aWriteIsExplained() {
    Explanation explanation = new Explanation();
    AddRequest request = AddRequest.of(NewEntry.directory(Target.of("/a/b/c/written")));
    tree.groups.getFirst().client.add(CallContext.ANONYMOUS.with(explanation), request).value()
        .forEach(Outcome::orThrow);
    assertThat(servers(explanation.hops())).containsExactly("1 server-0", "2 server-1", "3 server-2");
    assertThat(steps(explanation.hops().getFirst())).contains(new HopStep.Cut(1, 1, false));
    assertThat(explanation.hops().getLast().answered().orElseThrow().self().position()).isNotEqualTo(
        explanation.hops().getLast().answered().orElseThrow().position());
  }
}
