package io.rns.loadtest.service;

import static io.rns.loadtest.service.NameServiceClient.requireDone;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.EntryName;
import io.rns.api.ListRequest;
import io.rns.api.NameService;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.loadtest.http.RawConnection;
import io.rns.loadtest.measure.Failure;
import io.rns.loadtest.peer.PeerService;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A running service of RNS, called by prepared messages or through the Java client. */
public record RnsPeer(HttpTarget service, NameService client, LoadTransport via,
    Messages messages) implements PeerService {
  public RnsPeer(HttpTarget service, NameService client, LoadTransport via) {
    this(service, client, via, new Messages(Consistency.SESSION, References.SHORT));
  }

  @Override
  public String durability() {
    return "the service at " + service.url()
        + (via == LoadTransport.RAW ? ", called by prepared messages" : ", called through the Java client");
  }

  @Override
  public Session session() {
    return new RnsSession();
  }

  /**
   * A session of messages on a connection of its own, or through the name service that all sessions share; each watch
   * opens another connection.
   */
  private final class RnsSession extends RawConnection implements Session {
    private final RawConnection watch = new RawConnection(service.address());
    private Supplier<@Nullable Failure> prepared = () -> null;

    RnsSession() {
      super(service.address());
    }

    @Override
    public void prepare(Call call) {
      if (call.kind() == Kind.WATCH) {
        watch.prepare(watchOf(call.path()), Answers::started);
        prepared = watch::perform;
      } else if (via == LoadTransport.RAW) {
        prepare(service.post(messages.of(call)), Answers::soap);
        prepared = super::perform;
      } else {
        Runnable request = request(call);
        prepared = () -> NameServiceClient.perform(request);
      }
    }

    @Override
    public @Nullable Failure perform() {
      return prepared.get();
    }

    /** Cuts messages and watches; a name service bounds its requests itself. */
    @Override
    public void cut() {
      watch.cut();
      super.cut();
    }

    @Override
    public void close() {
      watch.close();
      super.close();
    }
  }

  private byte[] watchOf(String path) {
    HttpTarget target = service.at(service.url().getRawPath().replaceFirst("/services/[^/]*$", "/watch"));
    String head =
        "GET " + target.url().getRawPath() + "?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8)
            + " HTTP/1.1\r\nHost: " + target.url().getRawAuthority() + "\r\nAccept: text/event-stream\r\n\r\n";
    return head.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** A call of the name service with everything made that can be made before. */
  private Runnable request(Call call) {
    Target target = Target.of(call.path());
    String name = Call.nameOf(call.path());
    return switch (call.kind()) {
      case QUERY -> {
        QueryRequest request = QueryRequest.of(target);
        yield () -> requireDone(client.query(CallContext.ANONYMOUS, request).value());
      }
      case LIST -> {
        ListRequest request = ListRequest.of(target);
        yield () -> client.list(CallContext.ANONYMOUS, request).value().orThrow();
      }
      case ADD -> add(NewEntry.junction(target, messages.references().of(name)));
      case MKDIR -> add(NewEntry.directory(target));
      case UPDATE -> update(EntryChange.references(target, List.of(messages.references().of("new-" + name))));
      case MOVE ->
        update(EntryChange.move(target, Target.of(Call.directoryOf(call.to())), EntryName.of(Call.nameOf(call.to()))));
      case REMOVE -> {
        RemoveRequest request = RemoveRequest.of(Removal.of(target));
        yield () -> requireDone(client.remove(CallContext.ANONYMOUS, request).value());
      }
      case WATCH -> throw new IllegalArgumentException("a name service has no watches");
    };
  }

  private Runnable add(NewEntry entry) {
    AddRequest request = AddRequest.of(entry);
    return () -> requireDone(client.add(CallContext.ANONYMOUS, request).value());
  }

  private Runnable update(EntryChange change) {
    UpdateRequest request = UpdateRequest.of(change);
    return () -> requireDone(client.update(CallContext.ANONYMOUS, request).value());
  }
}
