package io.rns.wire.resource;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.EntryId;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.FaultTable;
import io.rns.wire.Namespaces;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.ResourceTarget;
import io.rns.wire.WsNames;
import io.rns.wire.rns.EntryCodec;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code wsrl:Destroy}: ends an empty directory other than the root. In RNS 1.1 the name stays in the parent until the
 * caller removes it, so a link to the former reference of the directory replaces it. An iterator simply ends.
 */
public final class DestroyCodec implements TargetOperationCodec<Optional<Entry>> {
  @Override
  public String element() {
    return "Destroy";
  }

  @Override
  public String action() {
    return "http://docs.oasis-open.org/wsrf/rlw-2/ImmediateResourceTermination/DestroyResponse";
  }

  @Override
  public FaultTable faults() {
    return FaultTable.DESTROY;
  }

  @Override
  public void writeRequest(XmlBuffer out, ResourceTarget item, Place place) {
    out.raw("<_l:Destroy xmlns:_l=\"" + Namespaces.WSRL + "\"/>");
  }

  @Override
  public void writeResponse(XmlBuffer out, Optional<Entry> result, ReplyForm form, Place place) {
    out.raw("<_l:DestroyResponse xmlns:_l=\"" + Namespaces.WSRL + "\"");
    if (form.extended() && result.isPresent()) {
      out.raw(" xmlns:_x=\"" + Namespaces.EXT + "\">");
      EntryCodec.write(out, "entry", result.get());
      out.raw("</_l:DestroyResponse>");
    } else {
      out.raw("/>");
    }
  }

  @Override
  public Optional<Entry> readResponse(XmlPull pull) {
    @Nullable
    Entry entry = null;
    while (pull.nextChild()) {
      if (pull.is(Namespaces.EXT, "entry")) {
        entry = EntryCodec.read(pull);
      } else {
        pull.skip();
      }
    }
    return Optional.ofNullable(entry);
  }

  @Override
  public Answer<Outcome<Optional<Entry>>> call(Resources resources, CallContext call, ResourceTarget item) {
    if (item.iterator().isPresent()) {
      String id = item.iterator().get();
      return resources.iterators().end(id)
          ? Answer.of(Outcome.done(Optional.empty()), ReplyHeaders.NOWHERE)
          : Iterators.gone(id);
    }
    return end(resources.service(), call, item.directory(), resources.names())
        .map(ended -> ended.map(Optional::of));
  }

  private static Answer<Outcome<Entry>> end(NameService service, CallContext call, Target item, WsNames names) {
    Answer<List<Outcome<Entry>>> answer = service.query(call, QueryRequest.of(item));
    Outcome<Entry> found = answer.value().get(0);
    Optional<EntryId> directory = directory(found, item, call, names);
    if (directory.isEmpty()) {
      Outcome<Entry> refused =
          found instanceof Outcome.Done<Entry>
              ? Outcome.refused(new Refusal.NotDirectory(item, item.path().depth()))
              : found;
      return answer.map(unused -> refused);
    }
    // Remove by identity, so that an entry that has taken the name meanwhile is safe.
    Removal removal = Removal.of(Target.of(directory.get()));
    Answer<List<Outcome<Entry>>> removed = service.remove(call, RemoveRequest.of(removal));
    Outcome<Entry> outcome = removed.value().get(0);
    if (outcome instanceof Outcome.Done<Entry> done) {
      link(service, ofLink(call), done.value(), names);
    }
    return removed.map(unused -> outcome);
  }

  /** The directory to end; if the call is repeatable, also one that an earlier attempt has ended. */
  private static Optional<EntryId> directory(Outcome<Entry> found, Target item, CallContext call, WsNames names) {
    boolean mayBeRepeated = call.requestId().isPresent();
    if (!(found instanceof Outcome.Done<Entry> done)) {
      return mayBeRepeated && item.path().isRoot() ? Optional.of(item.start()) : Optional.empty();
    }
    if (done.value() instanceof Junction link) {
      return mayBeRepeated ? link.references().get(0).endpointIdentifier().flatMap(names::directory) : Optional.empty();
    }
    return Optional.of(done.value().id());
  }

  /** Leaves a link. None is needed if the name has been taken or its directory removed meanwhile. */
  private static void link(NameService service, CallContext call, Entry removed, WsNames names) {
    try {
      service.add(call, AddRequest.of(link(removed, names)));
    } catch (RnsException e) {
      // An earlier attempt, by another URL of the service, has left it.
      if (e.error() != RnsError.REQUEST_ID_REUSED) {
        throw e;
      }
    }
  }

  private static NewEntry link(Entry removed, WsNames names) {
    Target name = Target.of(removed.binding().parent()).child(removed.binding().name());
    return new NewEntry(
        name, List.of(names.reference(removed.id())), removed.metadata(), Precondition.IF_ABSENT);
  }

  /** The second write of a repeatable call has its own id, derived from the first. */
  private static CallContext ofLink(CallContext call) {
    Optional<RequestId> id =
        call.requestId()
            .map(first -> "link " + first.text())
            .map(text -> new RequestId(UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString()));
    return new CallContext(call.caller(), id, call.consistency(), call.seen(), call.routing(), call.hops(),
        call.explanation(), call.origin());
  }
}
