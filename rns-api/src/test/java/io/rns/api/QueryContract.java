package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Entry.VirtualDirectory;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of {@link NameService#query}. */
interface QueryContract {
  /** The service to test. */
  NameService service();

  @Test
  default void resultsAreInTheOrderOfTargets() {
    Sandbox s = Sandbox.in(service());
    Entry a = s.directory("/a");
    Entry b = s.junction("/a/b");
    Target missing = s.at("/a/c/d");
    Target blocked = s.at("/a/b/c");

    List<Outcome<Entry>> outcomes =
        service()
            .query(CallContext.ANONYMOUS, QueryRequest.of(s.at("/a/b"), missing, s.at("/a"), blocked, s.at("/a/b")))
            .value();

    assertThat(outcomes)
        .containsExactly(
            Outcome.done(b),
            Outcome.refused(new Refusal.NoSuchEntry(missing, s.depth() + 2)),
            Outcome.done(a),
            Outcome.refused(new Refusal.NotDirectory(blocked, s.depth() + 2)),
            Outcome.done(b));
  }

  @Test
  default void aMissingComponentIsReportedByItsIndex() {
    Sandbox s = Sandbox.in(service());
    s.directory("/a");

    assertThat(s.find("/x")).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/x"), s.depth() + 1)));
    assertThat(s.find("/x/y/z")).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/x/y/z"), s.depth() + 1)));
    assertThat(s.find("/a/y")).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/a/y"), s.depth() + 2)));
  }

  @Test
  default void aMissingNameIsFoundAfterItsAddition() {
    Sandbox s = Sandbox.in(service());

    assertThat(s.exists("/a")).isFalse();
    Entry a = s.directory("/a");
    assertThat(s.get("/a")).isEqualTo(a);
    assertThat(s.exists("/a/b")).isFalse();
    Entry b = s.junction("/a/b");
    assertThat(s.get("/a/b")).isEqualTo(b);
  }

  @Test
  default void theRootIsADirectoryWithoutNameAndParent() {
    Sandbox s = Sandbox.in(service());

    VirtualDirectory root = (VirtualDirectory) s.find(Target.ROOT).orThrow();

    assertThat(root.id()).isEqualTo(EntryId.ROOT);
    assertThat(root.isRoot()).isTrue();
    assertThat(root.place()).isNull();
    assertThat(root.displayName()).isEqualTo("/");
    assertThat(s.directory().binding().parent()).isEqualTo(EntryId.ROOT);
  }

  @Test
  default void directoriesAreCountedOnDemand() {
    Sandbox s = Sandbox.in(service());
    s.directory("/d");
    s.junction("/j");
    s.junction("/d/x");

    assertThat(((VirtualDirectory) s.find(s.at()).orThrow()).entries()).isEqualTo(-1);
    assertThat(s.counted(s.at()).entries()).isEqualTo(2);
    assertThat(s.counted(s.at("/d")).entries()).isEqualTo(1);
    assertThat(s.counted(Target.ROOT).entries()).isPositive();
    assertThat(service().query(CallContext.ANONYMOUS, QueryRequest.of(s.at("/j")).withCounts()).value())
        .containsExactly(s.find("/j"));
  }

  @Test
  default void countsFollowEveryChange() {
    Sandbox s = Sandbox.in(service());
    s.directory("/from");
    s.directory("/to");
    s.addWithParents(NewEntry.directory(s.at("/from/a/b/c"))).orThrow();
    s.junction("/from/j");
    assertThat(s.counted(s.at("/from")).entries()).isEqualTo(2);

    s.update(UpdateRequest.EntryChange.move(s.at("/from/a"), s.at("/to"), EntryName.of("z"))).orThrow();
    s.update(UpdateRequest.EntryChange.rename(s.at("/to/z"), EntryName.of("y"))).orThrow();
    assertThat(s.counted(s.at("/from")).entries()).isEqualTo(1);
    assertThat(s.counted(s.at("/to")).entries()).isEqualTo(1);

    s.remove(RemoveRequest.Removal.recursive(s.at("/to/y"))).orThrow();
    s.remove(RemoveRequest.Removal.of(s.at("/from/j"))).orThrow();
    assertThat(s.counted(s.at("/from")).entries()).isZero();
    assertThat(s.counted(s.at("/to")).entries()).isZero();
    assertThat(s.counted(s.at()).entries()).isEqualTo(2);
  }

  @Test
  default void anEntryIsFoundByItsId() {
    Sandbox s = Sandbox.in(service());
    Entry directory = s.directory("/d");
    Entry junction = s.junction("/d/j");

    assertThat(s.find(Target.of(directory.id())).orThrow()).isEqualTo(directory);
    assertThat(s.find(Target.of(junction.id())).orThrow()).isEqualTo(junction);
    assertThat(s.find(new Target(directory.id(), RnsPath.parse("/j"))).orThrow()).isEqualTo(junction);
    Target belowJunction = new Target(junction.id(), RnsPath.parse("/x"));
    assertThat(s.find(belowJunction)).isEqualTo(Outcome.refused(new Refusal.NotDirectory(belowJunction, 0)));
  }

  @Test
  default void anUnknownIdIsNoSuchEntry() {
    Sandbox s = Sandbox.in(service());
    EntryId gone = s.remove(RemoveRequest.Removal.of(Target.of(s.junction("/gone").id()))).orThrow().id();
    Target below = new Target(gone, RnsPath.parse("/x"));

    assertThat(s.find(Target.of(gone))).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of(gone), 0)));
    assertThat(s.find(below)).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(below, 0)));
    Target never = Target.of(new EntryId(Long.MAX_VALUE));
    assertThat(s.find(never)).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(never, 0)));
  }

  @Test
  default void manyTargetsAreAnsweredInOneRequest() {
    Sandbox s = Sandbox.in(service());
    Entry entry = s.junction("/a");
    List<Target> targets = Collections.nCopies(1_000, s.at("/a"));

    assertThat(service().query(CallContext.ANONYMOUS, new QueryRequest(targets, false)).value())
        .hasSize(1_000)
        .containsOnly(Outcome.done(entry));
  }

  @Test
  default void aReadSeesEarlierWrites() {
    Sandbox s = Sandbox.in(service());
    Answer<List<Outcome<Entry>>> added =
        service().add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(s.at("/d"))));

    Position queried = service().query(CallContext.ANONYMOUS, QueryRequest.of(s.at("/d"))).position();
    Position listed = service().list(CallContext.ANONYMOUS, ListRequest.of(s.at("/d"))).position();

    assertThat(queried).isGreaterThanOrEqualTo(added.position());
    assertThat(listed).isGreaterThanOrEqualTo(added.position());
  }
}
