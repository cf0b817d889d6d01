package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.UpdateRequest.EntryChange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of {@link NameService#remove} for single entries. */
interface RemoveContract {
  /** The service to test. */
  NameService service();

  @Test
  default void aRemovedEntryIsReturnedAsItWas() {
    Sandbox s = Sandbox.in(service());
    Entry junction = s.junction("/j", "urn:1", "urn:2");
    Entry directory = s.directory("/d");

    assertThat(s.remove(Removal.of(s.at("/j"))).orThrow()).isEqualTo(junction);
    assertThat(s.remove(Removal.of(s.at("/d"))).orThrow()).isEqualTo(directory);
    assertThat(s.children(s.at())).isEmpty();
    assertThat(s.exists("/j")).isFalse();
    assertThat(s.find(Target.of(directory.id())))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of(directory.id()), 0)));
  }

  @Test
  default void aDirectoryWithEntriesIsKept() {
    Sandbox s = Sandbox.in(service());
    s.directory("/d");
    Entry one = s.junction("/d/1");

    assertThat(s.remove(Removal.of(s.at("/d")))).isEqualTo(Outcome.refused(new Refusal.NotEmpty(s.at("/d"), 1)));
    Entry two = s.directory("/d/2");
    assertThat(s.remove(Removal.of(s.at("/d")))).isEqualTo(Outcome.refused(new Refusal.NotEmpty(s.at("/d"), 2)));
    assertThat(s.children(s.at("/d"))).containsExactly(one, two);
    s.remove(Removal.of(s.at("/d/1"))).orThrow();
    s.remove(Removal.of(s.at("/d/2"))).orThrow();
    s.remove(Removal.of(s.at("/d"))).orThrow();
    assertThat(s.exists("/d")).isFalse();
  }

  @Test
  default void aRecursiveRemovalRemovesTheSubtreeAtOnce() {
    Sandbox s = Sandbox.in(service());
    Entry d = s.directory("/d");
    EntryId sub = s.addWithParents(NewEntry.directory(s.at("/d/x/sub"))).orThrow().id();
    EntryId leaf = s.junction("/d/x/sub/leaf").id();
    s.junction("/dd");

    assertThat(s.remove(Removal.recursive(s.at("/d"))).orThrow()).isEqualTo(d);

    assertThat(s.names(s.at())).containsExactly("dd");
    for (EntryId gone : List.of(d.id(), sub, leaf)) {
      assertThat(s.find(Target.of(gone))).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of(gone), 0)));
    }
    assertThat(s.find("/d/x/sub/leaf"))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/d/x/sub/leaf"), s.depth() + 1)));
    Target belowGone = new Target(sub, RnsPath.parse("/new"));
    assertThat(s.add(NewEntry.directory(belowGone))).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(belowGone, 0)));
    assertThat(s.addWithParents(NewEntry.directory(belowGone)))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(belowGone, 0)));
  }

  @Test
  default void aRemovedSubtreeIsInaccessible() {
    Sandbox s = Sandbox.in(service());
    s.directory("/d");
    EntryId sub = s.directory("/d/sub").id();
    EntryId leaf = s.junction("/d/sub/leaf").id();
    s.junction("/other");
    s.remove(Removal.recursive(s.at("/d"))).orThrow();

    assertThat(s.update(EntryChange.move(Target.of(leaf), s.at(), EntryName.of("rescued"))))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of(leaf), 0)));
    assertThat(s.update(EntryChange.move(s.at("/other"), Target.of(sub), EntryName.of("x"))))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of(sub), 0)));
    assertThat(s.remove(Removal.of(Target.of(leaf))))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of(leaf), 0)));
    assertThat(s.names(s.at())).containsExactly("other");
  }

  @Test
  default void aReusedNameStartsEmpty() {
    Sandbox s = Sandbox.in(service());
    EntryId first = s.directory("/d").id();
    s.junction("/d/old");
    s.remove(Removal.recursive(s.at("/d"))).orThrow();

    Entry second = s.directory("/d");

    assertThat(second.id()).isNotEqualTo(first);
    assertThat(s.children(s.at("/d"))).isEmpty();
    assertThat(s.counted(s.at("/d")).entries()).isZero();
    assertThat(s.exists("/d/old")).isFalse();
  }

  @Test
  default void aMovedEntrySurvivesTheRemovalOfItsFormerDirectory() {
    Sandbox s = Sandbox.in(service());
    s.directory("/d");
    s.directory("/d/kept");
    Entry leaf = s.junction("/d/kept/leaf");
    s.update(EntryChange.move(s.at("/d/kept"), s.at(), EntryName.of("kept"))).orThrow();

    s.remove(Removal.recursive(s.at("/d"))).orThrow();

    assertThat(s.get("/kept/leaf")).isEqualTo(leaf);
  }

  @Test
  default void aJunctionMayBeRemovedRecursively() {
    Sandbox s = Sandbox.in(service());
    Entry junction = s.junction("/j");

    assertThat(s.remove(Removal.recursive(s.at("/j"))).orThrow()).isEqualTo(junction);
    assertThat(s.names(s.at())).isEmpty();
  }

  @Test
  default void theRootCannotBeRemoved() {
    Sandbox s = Sandbox.in(service());

    assertThat(s.remove(Removal.of(Target.ROOT))).isEqualTo(Outcome.refused(new Refusal.RootIsFixed(Target.ROOT)));
    assertThat(s.remove(Removal.recursive(Target.ROOT)))
        .isEqualTo(Outcome.refused(new Refusal.RootIsFixed(Target.ROOT)));
    assertThat(s.find(s.at()).orThrow()).isEqualTo(s.directory());
  }

  @Test
  default void theRemovedEntryMustExist() {
    Sandbox s = Sandbox.in(service());
    s.junction("/j");

    assertThat(s.remove(Removal.of(s.at("/x/y"))))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/x/y"), s.depth() + 1)));
    assertThat(s.remove(Removal.recursive(s.at("/j/y"))))
        .isEqualTo(Outcome.refused(new Refusal.NotDirectory(s.at("/j/y"), s.depth() + 1)));
  }

  @Test
  default void removingAVersionRequiresThatVersion() {
    Sandbox s = Sandbox.in(service());
    Entry first = s.junction("/j");
    Entry second = s.update(EntryChange.metadata(s.at("/j"), Metadata.NONE)).orThrow();

    assertThat(s.remove(Removal.of(s.at("/j")).with(Precondition.ifVersion(first.version()))))
        .isEqualTo(Outcome.refused(new Refusal.VersionMismatch(s.at("/j"), first.version(), second.version())));
    assertThat(s.get("/j")).isEqualTo(second);
    s.remove(Removal.of(s.at("/j")).with(Precondition.ifVersion(second.version()))).orThrow();
    assertThat(s.exists("/j")).isFalse();
  }

  @Test
  default void aRemovalDoesNotChangeTheDirectory() {
    Sandbox s = Sandbox.in(service());
    Entry directory = s.directory("/d");
    s.junction("/d/j");

    s.remove(Removal.of(s.at("/d/j"))).orThrow();

    assertThat(s.get("/d")).isEqualTo(directory);
  }

  @Test
  default void aVersionIsNeverReused() {
    Sandbox s = Sandbox.in(service());
    Entry first = s.junction("/j");
    s.remove(Removal.of(s.at("/j"))).orThrow();

    Entry second = s.junction("/j");

    assertThat(second.version()).isGreaterThan(first.version());
    assertThat(second.id()).isNotEqualTo(first.id());
  }
}
