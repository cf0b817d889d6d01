package io.rns.loadtest.service;

import static io.rns.loadtest.service.NameServiceClient.requireDone;

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

/** A session through a name service that all sessions share; watches go through a session of messages. */
final class ClientSession implements Session {
  private final NameService service;
  private final References references;
  private final Session watches;
  private boolean watching;
  private Runnable call = () -> {};

  ClientSession(NameService service, References references, Session watches) {
    this.service = service;
    this.references = references;
    this.watches = watches;
  }

  @Override
  public void prepare(Call wanted) {
    watching = wanted.kind() == Kind.WATCH;
    if (watching) {
      watches.prepare(wanted);
    } else {
      call = call(wanted);
    }
  }

  private Runnable call(Call wanted) {
    Target target = Target.of(wanted.path());
    String name = Call.nameOf(wanted.path());
    return switch (wanted.kind()) {
      case QUERY -> {
        QueryRequest request = QueryRequest.of(target);
        yield () -> requireDone(service.query(CallContext.ANONYMOUS, request).value());
      }
      case LIST -> {
        ListRequest request = ListRequest.of(target);
        yield () -> service.list(CallContext.ANONYMOUS, request).value().orThrow();
      }
      case ADD -> add(NewEntry.junction(target, references.of(name)));
      case MKDIR -> add(NewEntry.directory(target));
      case UPDATE -> update(EntryChange.references(target, List.of(references.of("new-" + name))));
      case MOVE ->
        update(EntryChange.move(target, Target.of(Call.directoryOf(wanted.to())),
            EntryName.of(Call.nameOf(wanted.to()))));
      case REMOVE -> {
        RemoveRequest request = RemoveRequest.of(Removal.of(target));
        yield () -> requireDone(service.remove(CallContext.ANONYMOUS, request).value());
      }
      case WATCH -> throw new IllegalArgumentException("a name service has no watches");
    };
  }

  private Runnable add(NewEntry entry) {
    AddRequest request = AddRequest.of(entry);
    return () -> requireDone(service.add(CallContext.ANONYMOUS, request).value());
  }

  private Runnable update(EntryChange change) {
    UpdateRequest request = UpdateRequest.of(change);
    return () -> requireDone(service.update(CallContext.ANONYMOUS, request).value());
  }

  @Override
  public @Nullable Failure perform() {
    return watching ? watches.perform() : NameServiceClient.perform(call);
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
