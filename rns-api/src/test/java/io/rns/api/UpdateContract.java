package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Entry.Binding;
import io.rns.api.Entry.Junction;
import io.rns.api.UpdateRequest.EntryChange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of {@link NameService#update} for single entries. */
interface UpdateContract {
  /** The service to test. */
  NameService service();

  @Test
  default void aRenamedEntryKeepsAllButItsNameAndVersion() {
    Sandbox s = Sandbox.in(service());
    Metadata metadata = Metadata.of(Map.of("k", "v"));
    Junction old = (Junction) s.add(NewEntry.junction(s.at("/a"), Sandbox.reference("urn:1")).with(metadata)).orThrow();

    Junction renamed = (Junction) s.update(EntryChange.rename(s.at("/a"), EntryName.of("b"))).orThrow();

    assertThat(renamed).isEqualTo(s.get("/b"));
    Binding place = new Binding(s.directory().id(), EntryName.of("b"));
    assertThat(renamed)
        .isEqualTo(
            new Junction(
                place, old.id(), renamed.version(), old.created(), renamed.modified(), metadata, old.references()));
    assertThat(renamed.version()).isGreaterThan(old.version());
    assertThat(renamed.modified()).isAfterOrEqualTo(old.modified());
    assertThat(s.names(s.at())).containsExactly("b");
    assertThat(s.find(Target.of(old.id())).orThrow()).isEqualTo(renamed);
  }

  @Test
  default void aFormerNameIsFree() {
    Sandbox s = Sandbox.in(service());
    EntryId old = s.directory("/a").id();
    s.junction("/a/content");
    s.update(EntryChange.rename(s.at("/a"), EntryName.of("b"))).orThrow();

    assertThat(s.exists("/a")).isFalse();
    Entry second = s.directory("/a");

    assertThat(second.id()).isNotEqualTo(old);
    assertThat(s.children(s.at("/a"))).isEmpty();
    assertThat(s.names(s.at("/b"))).containsExactly("content");
  }

  @Test
  default void aRenameMayChangeOnlyTheCase() {
    Sandbox s = Sandbox.in(service());
    s.directory("/a");

    s.update(EntryChange.rename(s.at("/a"), EntryName.of("A"))).orThrow();

    assertThat(s.names(s.at())).containsExactly("A");
  }

  @Test
  default void aMovedDirectoryKeepsItsContent() {
    Sandbox s = Sandbox.in(service());
    Entry old = s.directory("/from");
    s.directory("/from/sub");
    Entry leaf = s.junction("/from/sub/leaf");
    Entry to = s.directory("/to");

    Entry moved = s.update(EntryChange.move(s.at("/from"), s.at("/to"), EntryName.of("here"))).orThrow();

    assertThat(moved.id()).isEqualTo(old.id());
    assertThat(moved.binding()).isEqualTo(new Binding(to.id(), EntryName.of("here")));
    assertThat(s.get("/to/here/sub/leaf")).isEqualTo(leaf);
    assertThat(s.exists("/from")).isFalse();
    assertThat(s.find("/from/sub/leaf"))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/from/sub/leaf"), s.depth() + 1)));
    assertThat(s.find(new Target(old.id(), RnsPath.parse("/sub/leaf"))).orThrow()).isEqualTo(leaf);
    assertThat(s.get("/to")).as("the directory that received it").isEqualTo(to);
  }

  @Test
  default void aMoveWithoutANameKeepsTheName() {
    Sandbox s = Sandbox.in(service());
    s.junction("/j");
    s.directory("/d");

    s.update(parentOnly(s.at("/j"), s.at("/d"))).orThrow();

    assertThat(s.names(s.at("/d"))).containsExactly("j");
    assertThat(s.names(s.at())).containsExactly("d");
  }

  @Test
  default void aChangeIsAppliedAtomically() {
    Sandbox s = Sandbox.in(service());
    s.directory("/d");
    Entry old = s.junction("/j");
    Metadata metadata = Metadata.of(Map.of("n", "1"));

    Junction changed = (Junction) s.update(everything(s.at("/j"), s.at("/d"), "k", metadata)).orThrow();

    assertThat(s.get("/d/k")).isEqualTo(changed);
    assertThat(changed.metadata()).isEqualTo(metadata);
    assertThat(changed.references()).containsExactly(Sandbox.reference("urn:new"));
    assertThat(changed.id()).isEqualTo(old.id());
  }

  @Test
  default void aRefusedChangeIsNotPartlyApplied() {
    Sandbox s = Sandbox.in(service());
    s.directory("/d");
    s.junction("/d/taken");
    Entry old = s.junction("/j");

    Outcome<Entry> outcome = s.update(everything(s.at("/j"), s.at("/d"), "taken", Metadata.of(Map.of("n", "1"))));

    assertThat(outcome).isEqualTo(Outcome.refused(new Refusal.EntryExists(s.at("/j"), s.at("/d/taken"))));
    assertThat(s.get("/j")).isEqualTo(old);
  }

  @Test
  default void aTakenNameIsNeverReplaced() {
    Sandbox s = Sandbox.in(service());
    Entry a = s.junction("/a");
    Entry b = s.junction("/b");
    Entry d = s.directory("/d");
    Target byId = Target.of(a.id());

    assertThat(s.update(EntryChange.rename(s.at("/a"), EntryName.of("b"))))
        .isEqualTo(Outcome.refused(new Refusal.EntryExists(s.at("/a"), s.at("/b"))));
    assertThat(s.update(EntryChange.rename(s.at("/a"), EntryName.of("d"))))
        .isEqualTo(Outcome.refused(new Refusal.EntryExists(s.at("/a"), s.at("/d"))));
    assertThat(s.update(EntryChange.rename(byId, EntryName.of("b"))))
        .isEqualTo(Outcome.refused(new Refusal.EntryExists(byId, new Target(s.directory().id(), RnsPath.parse("/b")))));
    assertThat(s.children(s.at())).containsExactly(a, b, d);
  }

  @Test
  default void aMoveOntoItselfIsAnEmptyChange() {
    Sandbox s = Sandbox.in(service());
    Entry old = s.directory("/d");
    Entry content = s.junction("/d/j");

    Entry moved = s.update(EntryChange.move(s.at("/d"), s.at(), EntryName.of("d"))).orThrow();
    Entry renamed = s.update(EntryChange.rename(s.at("/d"), EntryName.of("d"))).orThrow();

    assertThat(moved.binding()).isEqualTo(old.binding());
    assertThat(moved.version()).isGreaterThan(old.version());
    assertThat(renamed.version()).isGreaterThan(moved.version());
    assertThat(s.children(s.at())).containsExactly(renamed);
    assertThat(s.children(s.at("/d"))).containsExactly(content);
    assertThat(s.counted(s.at()).entries()).isEqualTo(1);
  }

  @Test
  default void aDirectoryCannotMoveIntoItself() {
    Sandbox s = Sandbox.in(service());
    Entry a = s.directory("/a");
    s.directory("/a/b");
    EntryId c = s.directory("/a/b/c").id();
    Target byId = new Target(c, RnsPath.ROOT);

    assertThat(s.update(EntryChange.move(s.at("/a"), s.at("/a"), EntryName.of("x"))))
        .isEqualTo(Outcome.refused(new Refusal.MoveIntoSelf(s.at("/a"), s.at("/a"))));
    assertThat(s.update(EntryChange.move(s.at("/a"), s.at("/a/b"), EntryName.of("x"))))
        .isEqualTo(Outcome.refused(new Refusal.MoveIntoSelf(s.at("/a"), s.at("/a/b"))));
    assertThat(s.update(EntryChange.move(s.at("/a"), byId, EntryName.of("x"))))
        .isEqualTo(Outcome.refused(new Refusal.MoveIntoSelf(s.at("/a"), byId)));
    assertThat(s.get("/a")).isEqualTo(a);
    assertThat(s.update(EntryChange.move(s.at("/a/b/c"), s.at("/a"), EntryName.of("c"))).orThrow().id()).isEqualTo(c);
  }

  @Test
  default void theNewParentMustBeADirectory() {
    Sandbox s = Sandbox.in(service());
    Entry a = s.junction("/a");
    s.junction("/j");

    assertThat(s.update(parentOnly(s.at("/a"), s.at("/x/y"))))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/x/y"), s.depth() + 1)));
    assertThat(s.update(parentOnly(s.at("/a"), s.at("/j"))))
        .isEqualTo(Outcome.refused(new Refusal.NotDirectory(s.at("/j"), s.depth() + 1)));
    assertThat(s.update(parentOnly(s.at("/a"), s.at("/j/k"))))
        .isEqualTo(Outcome.refused(new Refusal.NotDirectory(s.at("/j/k"), s.depth() + 1)));
    assertThat(s.get("/a")).isEqualTo(a);
  }

  @Test
  default void referencesAndMetadataAreReplaced() {
    Sandbox s = Sandbox.in(service());
    s.add(NewEntry.junction(s.at("/j"), Sandbox.reference("urn:1")).with(Metadata.of(Map.of("old", "1")))).orThrow();
    Metadata metadata = Metadata.of(Map.of("new", "2"));
    List<EndpointReference> references = List.of(Sandbox.reference("urn:3"), Sandbox.reference("urn:2"));

    s.update(EntryChange.references(s.at("/j"), references)).orThrow();
    assertThat(s.get("/j").metadata().values()).containsOnlyKeys("old");
    s.update(EntryChange.metadata(s.at("/j"), metadata)).orThrow();

    assertThat(((Junction) s.get("/j")).references()).isEqualTo(references);
    assertThat(s.get("/j").metadata()).isEqualTo(metadata);
    s.update(EntryChange.metadata(s.at("/j"), Metadata.NONE)).orThrow();
    assertThat(s.get("/j").metadata().isEmpty()).isTrue();
  }

  @Test
  default void aDirectoryHasMetadataButNoReferences() {
    Sandbox s = Sandbox.in(service());
    s.directory("/d");
    Metadata metadata = Metadata.of(Map.of("k", "v"));

    Entry changed = s.update(EntryChange.metadata(s.at("/d"), metadata)).orThrow();

    assertThat(changed.metadata()).isEqualTo(metadata);
    assertThat(s.update(EntryChange.references(s.at("/d"), List.of(Sandbox.reference("urn:x")))))
        .isEqualTo(Outcome.refused(new Refusal.IsDirectory(s.at("/d"))));
    assertThat(s.get("/d")).isEqualTo(changed);
  }

  @Test
  default void theRootHasMetadataButCannotMove() {
    Sandbox s = Sandbox.in(service());
    Entry before = s.find(Target.ROOT).orThrow();
    Metadata metadata = Metadata.of(Map.of("k", "v"));
    EntryChange change = EntryChange.metadata(Target.ROOT, metadata).with(Precondition.ifVersion(before.version()));

    Entry changed = s.update(change).orThrow();

    assertThat(changed.metadata()).isEqualTo(metadata);
    assertThat(changed.version()).isGreaterThan(before.version());
    assertThat(s.update(EntryChange.rename(Target.ROOT, EntryName.of("x"))))
        .isEqualTo(Outcome.refused(new Refusal.RootIsFixed(Target.ROOT)));
    assertThat(s.update(EntryChange.move(Target.ROOT, s.at(), EntryName.of("x"))))
        .isEqualTo(Outcome.refused(new Refusal.RootIsFixed(Target.ROOT)));
    assertThat(s.update(EntryChange.references(Target.ROOT, List.of(Sandbox.reference("urn:x")))))
        .isEqualTo(Outcome.refused(new Refusal.IsDirectory(Target.ROOT)));
    assertThat(s.update(EntryChange.metadata(Target.ROOT, before.metadata())).orThrow().id()).isEqualTo(EntryId.ROOT);
  }

  @Test
  default void changingAVersionRequiresThatVersion() {
    Sandbox s = Sandbox.in(service());
    Entry first = s.junction("/j");
    Precondition known = Precondition.ifVersion(first.version());
    Metadata metadata = Metadata.of(Map.of("k", "v"));

    Entry second = s.update(EntryChange.metadata(s.at("/j"), metadata).with(known)).orThrow();
    Outcome<Entry> stale = s.update(EntryChange.rename(s.at("/j"), EntryName.of("k")).with(known));

    assertThat(stale)
        .isEqualTo(Outcome.refused(new Refusal.VersionMismatch(s.at("/j"), first.version(), second.version())));
    assertThat(s.get("/j")).isEqualTo(second);
  }

  @Test
  default void theChangedEntryMustExist() {
    Sandbox s = Sandbox.in(service());
    s.junction("/j");
    EntryId gone = s.remove(RemoveRequest.Removal.of(Target.of(s.junction("/gone").id()))).orThrow().id();

    assertThat(s.update(EntryChange.metadata(s.at("/x/y"), Metadata.NONE)))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/x/y"), s.depth() + 1)));
    assertThat(s.update(EntryChange.metadata(s.at("/j/y"), Metadata.NONE)))
        .isEqualTo(Outcome.refused(new Refusal.NotDirectory(s.at("/j/y"), s.depth() + 1)));
    assertThat(s.update(EntryChange.metadata(Target.of(gone), Metadata.NONE)))
        .isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(Target.of(gone), 0)));
  }

  @Test
  default void anEntryIsChangedByItsId() {
    Sandbox s = Sandbox.in(service());
    EntryId id = s.directory("/d").id();
    EntryId parent = s.directory("/p").id();

    s.update(EntryChange.move(Target.of(id), Target.of(parent), EntryName.of("e"))).orThrow();
    s.update(EntryChange.rename(Target.of(id), EntryName.of("f"))).orThrow();

    assertThat(s.get("/p/f").id()).isEqualTo(id);
  }

  private static EntryChange parentOnly(Target target, Target parent) {
    return new EntryChange(
        target, Optional.empty(), Optional.of(parent), Optional.empty(), Optional.empty(), Precondition.NONE);
  }

  private static EntryChange everything(Target target, Target parent, String name, Metadata metadata) {
    return new EntryChange(
        target,
        Optional.of(EntryName.of(name)),
        Optional.of(parent),
        Optional.of(List.of(Sandbox.reference("urn:new"))),
        Optional.of(metadata),
        Precondition.NONE);
  }
}
