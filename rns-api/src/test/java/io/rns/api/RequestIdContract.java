package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The contract of {@link NameService} for a write repeated with its request id. */
interface RequestIdContract {
  /** The service to test. */
  NameService service();

  private static CallContext repeatable() {
    return CallContext.ANONYMOUS.with(RequestId.random());
  }

  @Test
  default void aRepeatedWriteIsAppliedOnceWithTheSameAnswer() {
    Sandbox s = Sandbox.in(service());
    CallContext adding = repeatable();
    CallContext updating = repeatable();
    CallContext removing = repeatable();
    AddRequest add =
        AddRequest.of(
            NewEntry.junction(s.at("/a/b"), Sandbox.reference("urn:1")).with(Metadata.of(Map.of("k", "ü\n<v>"))),
            NewEntry.directory(s.at("/a/b/c")));
    add = add.withParents();
    UpdateRequest update = UpdateRequest.of(EntryChange.rename(s.at("/a/b"), EntryName.of("c")));
    RemoveRequest remove = RemoveRequest.of(Removal.of(s.at("/a/c")));

    Answer<List<Outcome<Entry>>> added = service().add(adding, add);
    assertThat(service().add(adding, add)).isEqualTo(added);
    Answer<List<Outcome<Entry>>> updated = service().update(updating, update);
    assertThat(service().update(updating, update)).isEqualTo(updated);
    Answer<List<Outcome<Entry>>> removed = service().remove(removing, remove);
    assertThat(service().remove(removing, remove)).isEqualTo(removed);

    assertThat(service().add(adding, add)).as("long after").isEqualTo(added);
    assertThat(added.value().get(0)).isInstanceOf(Outcome.Done.class);
    assertThat(updated.value().get(0)).isInstanceOf(Outcome.Done.class);
    assertThat(removed.value().get(0)).isInstanceOf(Outcome.Done.class);
    assertThat(s.names(s.at("/a"))).isEmpty();
  }

  @Test
  default void aRepeatedRefusalStaysARefusal() {
    Sandbox s = Sandbox.in(service());
    CallContext call = repeatable();
    AddRequest request = AddRequest.of(NewEntry.directory(s.at("/missing/d")), NewEntry.directory(s.at("/missing/e")));

    Answer<List<Outcome<Entry>>> first = service().add(call, request);
    s.directory("/missing");

    assertThat(service().add(call, request)).isEqualTo(first);
    assertThat(s.children(s.at("/missing"))).isEmpty();
  }

  @Test
  default void everyKindOfRefusalIsRepeatedUnchanged() {
    Sandbox s = Sandbox.in(service());
    s.directory("/d");
    s.directory("/d/e");
    s.junction("/j");
    CallContext call = repeatable();
    UpdateRequest request =
        UpdateRequest.of(
            EntryChange.metadata(s.at("/x"), Metadata.NONE),
            EntryChange.rename(s.at("/j"), EntryName.of("d")),
            EntryChange.metadata(s.at("/j/k"), Metadata.NONE),
            EntryChange.references(s.at("/d"), List.of(Sandbox.reference("urn:x"))),
            EntryChange.metadata(s.at("/d"), Metadata.NONE).with(Precondition.ifVersion(Long.MAX_VALUE)),
            EntryChange.move(s.at("/d"), s.at("/d/e"), EntryName.of("x")),
            EntryChange.rename(Target.ROOT, EntryName.of("x")));
    CallContext removing = repeatable();
    RemoveRequest remove = new RemoveRequest(List.of(Removal.of(s.at("/j")), Removal.of(s.at("/d"))), true);

    Answer<List<Outcome<Entry>>> updated = service().update(call, request);
    Answer<List<Outcome<Entry>>> removed = service().remove(removing, remove);

    assertThat(updated.value())
        .extracting(outcome -> Sandbox.refusal(outcome).error())
        .containsExactly(
            RnsError.NO_SUCH_ENTRY,
            RnsError.ENTRY_EXISTS,
            RnsError.NOT_DIRECTORY,
            RnsError.IS_DIRECTORY,
            RnsError.VERSION_MISMATCH,
            RnsError.MOVE_INTO_SELF,
            RnsError.ROOT_IS_FIXED);
    assertThat(removed.value())
        .extracting(outcome -> Sandbox.refusal(outcome).error())
        .containsExactly(RnsError.NOT_APPLIED, RnsError.NOT_EMPTY);
    assertThat(service().update(call, request)).isEqualTo(updated);
    assertThat(service().remove(removing, remove)).isEqualTo(removed);
  }

  @Test
  default void anIdUsedForAnotherRequestIsRefused() {
    Sandbox s = Sandbox.in(service());
    CallContext call = repeatable();
    NewEntry entry = NewEntry.directory(s.at("/a"));
    service().add(call, AddRequest.of(entry));

    reused(() -> service().add(call, AddRequest.of(NewEntry.directory(s.at("/b")))));
    reused(() -> service().add(call, AddRequest.of(entry).withParents()));
    reused(() -> service().add(call, new AddRequest(List.of(entry), false, true)));
    reused(() -> service().add(call, AddRequest.of(entry.with(Metadata.of(Map.of("k", "v"))))));
    reused(() -> service().add(call, AddRequest.of(entry.with(Precondition.NONE))));
    reused(() -> service().add(call, AddRequest.of(entry, NewEntry.directory(s.at("/b")))));
    reused(() -> service().add(call, AddRequest.of(NewEntry.junction(s.at("/a"), Sandbox.reference("urn:x")))));
    reused(() -> service().update(call, UpdateRequest.of(EntryChange.rename(s.at("/a"), EntryName.of("b")))));
    reused(() -> service().remove(call, RemoveRequest.of(Removal.of(s.at("/a")))));
    assertThat(s.names(s.at())).containsExactly("a");
  }

  private static void reused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(RnsException.class))
        .extracting(RnsException::error)
        .isEqualTo(RnsError.REQUEST_ID_REUSED);
  }

  @Test
  default void idsAreCaseSensitive() {
    Sandbox s = Sandbox.in(service());
    String id = RequestId.random().toString();
    CallContext lower = CallContext.ANONYMOUS.with(new RequestId("x" + id));
    CallContext upper = CallContext.ANONYMOUS.with(new RequestId("X" + id));

    service().add(lower, AddRequest.of(NewEntry.directory(s.at("/a"))));
    service().add(upper, AddRequest.of(NewEntry.directory(s.at("/b"))));

    assertThat(s.names(s.at())).containsExactly("a", "b");
  }

  @Test
  default void anIdOfMaximumLengthIsAccepted() {
    Sandbox s = Sandbox.in(service());
    String unique = RequestId.random().toString();
    CallContext call =
        CallContext.ANONYMOUS
            .with(new RequestId(unique + "&<>\"'".repeat(9).substring(0, Limits.REQUEST_ID_CHARS - unique.length())));
    AddRequest request = AddRequest.of(NewEntry.directory(s.at("/a")));

    assertThat(service().add(call, request)).isEqualTo(service().add(call, request));
  }

  @Test
  default void theSameRequestWithAnotherIdIsANewRequest() {
    Sandbox s = Sandbox.in(service());
    AddRequest request = AddRequest.of(NewEntry.directory(s.at("/a")));

    service().add(repeatable(), request);
    Outcome<Entry> second = Sandbox.only(service().add(repeatable(), request));

    assertThat(second).isEqualTo(Outcome.refused(new Refusal.EntryExists(s.at("/a"), s.at("/a"))));
  }
}
