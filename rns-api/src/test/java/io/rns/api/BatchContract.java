package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.UpdateRequest.EntryChange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contract of {@link NameService} for the items of one write and for positions. */
interface BatchContract {
  /** The service to test. */
  NameService service();

  @Test
  default void itemsAreAppliedInOrderAndSeeEarlierItems() {
    Sandbox s = Sandbox.in(service());

    List<Outcome<Entry>> added =
        add(NewEntry.directory(s.at("/a")), NewEntry.directory(s.at("/a/b")), NewEntry.directory(s.at("/a"))).value();
    List<Outcome<Entry>> changed =
        update(
            EntryChange.rename(s.at("/a/b"), EntryName.of("c")),
            EntryChange.rename(s.at("/a/c"), EntryName.of("d")),
            EntryChange.metadata(s.at("/a/b"), Metadata.NONE))
            .value();
    List<Outcome<Entry>> removed =
        remove(Removal.of(s.at("/a/d")), Removal.of(s.at("/a")), Removal.of(s.at("/a/d"))).value();

    assertThat(added.get(1).orThrow().binding().parent()).isEqualTo(added.get(0).orThrow().id());
    assertThat(added.get(2)).isEqualTo(Outcome.refused(new Refusal.EntryExists(s.at("/a"), s.at("/a"))));
    assertThat(changed.get(0).orThrow().displayName()).isEqualTo("c");
    assertThat(changed.get(1).orThrow().displayName()).isEqualTo("d");
    assertThat(changed.get(2)).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/a/b"), s.depth() + 2)));
    assertThat(removed.get(0).orThrow()).isEqualTo(changed.get(1).orThrow());
    assertThat(removed.get(1).orThrow()).isEqualTo(added.get(0).orThrow());
    assertThat(removed.get(2)).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/a/d"), s.depth() + 1)));
  }

  @Test
  default void namesCanBeSwappedInOneRequest() {
    Sandbox s = Sandbox.in(service());
    EntryId a = s.directory("/a").id();
    EntryId b = s.junction("/b").id();

    update(
        EntryChange.rename(s.at("/a"), EntryName.of("c")),
        EntryChange.rename(s.at("/b"), EntryName.of("a")),
        EntryChange.rename(s.at("/c"), EntryName.of("b")));

    assertThat(s.get("/a").id()).isEqualTo(b);
    assertThat(s.get("/b").id()).isEqualTo(a);
    assertThat(s.names(s.at())).containsExactly("a", "b");
  }

  @Test
  default void aRefusedItemDoesNotAffectTheOthers() {
    Sandbox s = Sandbox.in(service());
    s.junction("/taken");

    List<Outcome<Entry>> outcomes =
        add(NewEntry.directory(s.at("/a")), NewEntry.directory(s.at("/taken")), NewEntry.directory(s.at("/b"))).value();

    assertThat(outcomes).extracting(outcome -> outcome instanceof Outcome.Done).containsExactly(true, false, true);
    assertThat(s.names(s.at())).containsExactly("a", "b", "taken");
  }

  @Test
  default void everyAppliedItemIsAChangeWithItsOwnSequenceNumber() {
    Sandbox s = Sandbox.in(service());
    s.junction("/taken");

    Answer<List<Outcome<Entry>>> answer =
        add(NewEntry.directory(s.at("/a")), NewEntry.directory(s.at("/taken")), NewEntry.directory(s.at("/b")));

    long last = answer.position().sequence();
    assertThat(answer.value().get(0).orThrow().version()).isEqualTo(last - 1);
    assertThat(answer.value().get(2).orThrow().version()).isEqualTo(last);
    assertThat(s.get("/b").version()).isEqualTo(last);
  }

  @Test
  default void positionsGrowWithEveryChange() {
    Sandbox s = Sandbox.in(service());
    Position added = add(NewEntry.directory(s.at("/a"))).position();
    Position changed = update(EntryChange.metadata(s.at("/a"), Metadata.of(Map.of("k", "v")))).position();
    Position removed = remove(Removal.of(s.at("/a"))).position();
    Position refused = remove(Removal.of(s.at("/a"))).position();

    assertThat(changed).isGreaterThan(added);
    assertThat(removed).isGreaterThan(changed);
    assertThat(refused).isGreaterThanOrEqualTo(removed);
  }

  @Test
  default void allOrNothingAppliesAll() {
    Sandbox s = Sandbox.in(service());
    List<NewEntry> entries = List.of(NewEntry.directory(s.at("/a/b")), NewEntry.directory(s.at("/a/c")));

    Answer<List<Outcome<Entry>>> answer = service().add(CallContext.ANONYMOUS, new AddRequest(entries, true, true));

    assertThat(s.children(s.at("/a"))).isEqualTo(answer.value().stream().map(Outcome::orThrow).toList());
  }

  @Test
  default void allOrNothingAddsNothing() {
    Sandbox s = Sandbox.in(service());
    s.junction("/taken");
    List<NewEntry> entries =
        List.of(
            NewEntry.directory(s.at("/p/q/a")),
            NewEntry.directory(s.at("/taken")),
            NewEntry.directory(s.at("/b")),
            NewEntry.directory(s.at("/taken")));

    Answer<List<Outcome<Entry>>> answer = service().add(CallContext.ANONYMOUS, new AddRequest(entries, true, true));

    assertThat(answer.value())
        .containsExactly(
            Outcome.refused(new Refusal.NotApplied(s.at("/p/q/a"))),
            Outcome.refused(new Refusal.EntryExists(s.at("/taken"), s.at("/taken"))),
            Outcome.refused(new Refusal.NotApplied(s.at("/b"))),
            Outcome.refused(new Refusal.NotApplied(s.at("/taken"))));
    assertThat(s.names(s.at())).containsExactly("taken");
    assertThat(s.counted(s.at()).entries()).isEqualTo(1);
  }

  @Test
  default void allOrNothingUpdatesNothing() {
    Sandbox s = Sandbox.in(service());
    Entry a = s.directory("/a");
    Entry b = s.junction("/b");
    List<EntryChange> changes =
        List.of(
            EntryChange.move(s.at("/b"), s.at("/a"), EntryName.of("c")),
            EntryChange.metadata(s.at("/a"), Metadata.of(Map.of("k", "v"))),
            EntryChange.metadata(s.at("/b"), Metadata.NONE));

    Answer<List<Outcome<Entry>>> answer = service().update(CallContext.ANONYMOUS, new UpdateRequest(changes, true));

    assertThat(answer.value())
        .containsExactly(
            Outcome.refused(new Refusal.NotApplied(s.at("/b"))),
            Outcome.refused(new Refusal.NotApplied(s.at("/a"))),
            Outcome.refused(new Refusal.NoSuchEntry(s.at("/b"), s.depth() + 1)));
    assertThat(s.children(s.at())).containsExactly(a, b);
    assertThat(s.children(s.at("/a"))).isEmpty();
    assertThat(s.find(Target.of(b.id())).orThrow()).isEqualTo(b);
  }

  @Test
  default void allOrNothingRemovesNothing() {
    Sandbox s = Sandbox.in(service());
    s.directory("/d");
    Entry content = s.junction("/d/j");
    Entry a = s.junction("/a");
    List<Removal> removals =
        List.of(Removal.of(s.at("/a")), Removal.recursive(s.at("/d")), Removal.of(s.at("/d/j")));

    Answer<List<Outcome<Entry>>> answer = service().remove(CallContext.ANONYMOUS, new RemoveRequest(removals, true));

    assertThat(answer.value().get(2)).isEqualTo(Outcome.refused(new Refusal.NoSuchEntry(s.at("/d/j"), s.depth() + 1)));
    assertThat(s.get("/a")).isEqualTo(a);
    assertThat(s.find(Target.of(content.id())).orThrow()).isEqualTo(content);
    assertThat(s.names(s.at())).containsExactly("a", "d");
  }

  @Test
  default void aRequestMayHaveManyItems() {
    Sandbox s = Sandbox.in(service());
    List<NewEntry> entries = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      names.add("n" + (1_000 + i));
      entries.add(NewEntry.junction(s.at("/" + names.get(i)), Sandbox.reference("urn:n:" + i)));
    }

    Answer<List<Outcome<Entry>>> answer = service().add(CallContext.ANONYMOUS, new AddRequest(entries, false, false));

    assertThat(answer.value()).allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Done.class));
    assertThat(s.names(s.at())).isEqualTo(names);
    assertThat(s.counted(s.at()).entries()).isEqualTo(1_000);
  }

  private Answer<List<Outcome<Entry>>> add(NewEntry... entries) {
    return service().add(CallContext.ANONYMOUS, AddRequest.of(entries));
  }

  private Answer<List<Outcome<Entry>>> update(EntryChange... changes) {
    return service().update(CallContext.ANONYMOUS, new UpdateRequest(Arrays.asList(changes), false));
  }

  private Answer<List<Outcome<Entry>>> remove(Removal... removals) {
    return service().remove(CallContext.ANONYMOUS, RemoveRequest.of(removals));
  }
}
