package io.rns.loadtest;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session by way of a name service that all sessions share; a watch goes over a connection of its own. */
final class ClientSession implements Session {
  private final NameService service;
  private final References references;
  private final Session watches;
  private final NameServiceClient calls;
  private boolean watching;
  private Runnable call = () -> {};

  ClientSession(NameService service, References references, Session watches) {
    this.service = service;
    this.references = references;
    this.watches = watches;
    calls = new NameServiceClient(() -> call);
  }

  @Override
  public void prepare(Call wanted) {
    watching = wanted.kind() == Kind.WATCH;
    switch (wanted.kind()) {
      case WATCH -> watches.prepare(wanted);
      case QUERY -> {
        QueryRequest request = new QueryRequest(List.of(Target.of(wanted.path())), false);
        call = () -> NameServiceClient.requireDone(service.query(CallContext.ANONYMOUS, request).value());
      }
      case LIST -> {
        ListRequest request = ListRequest.of(Target.of(wanted.path()));
        call = () -> service.list(CallContext.ANONYMOUS, request).value().orThrow();
      }
      case ADD -> call = add(NewEntry.junction(Target.of(wanted.path()), references.of(Call.nameOf(wanted.path()))));
      case MKDIR -> call = add(NewEntry.directory(Target.of(wanted.path())));
      case UPDATE -> {
        String name = "new-" + Call.nameOf(wanted.path());
        call = update(EntryChange.references(Target.of(wanted.path()), List.of(references.of(name))));
      }
      case MOVE -> {
        Target directory = Target.of(Call.directoryOf(wanted.to()));
        call = update(EntryChange.move(Target.of(wanted.path()), directory, EntryName.of(Call.nameOf(wanted.to()))));
      }
      case REMOVE -> {
        RemoveRequest request = RemoveRequest.of(Removal.of(Target.of(wanted.path())));
        call = () -> NameServiceClient.requireDone(service.remove(CallContext.ANONYMOUS, request).value());
      }
    }
    calls.prepare();
  }

  private Runnable add(NewEntry entry) {
    AddRequest request = AddRequest.of(entry);
    return () -> NameServiceClient.requireDone(service.add(CallContext.ANONYMOUS, request).value());
  }

  private Runnable update(EntryChange change) {
    UpdateRequest request = UpdateRequest.of(change);
    return () -> NameServiceClient.requireDone(service.update(CallContext.ANONYMOUS, request).value());
  }

  @Override
  public @Nullable Failure perform() {
    return watching ? watches.perform() : calls.perform();
  }

  /** Cuts a watch; a name service bounds its requests itself. */
  @Override
  public void cut() {
    watches.cut();
  }

  @Override
  public void close() {
    watches.close();
  }
}
