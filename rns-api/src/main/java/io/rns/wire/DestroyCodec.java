package io.rns.wire;

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
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * {@code wsrl:Destroy}: ends a directory that is empty and not the root. In RNS 1.1 that leaves its name in the parent,
 * which the caller removes next; so a link to the reference that the directory had takes its place.
 */
final class DestroyCodec implements ResourceOperationCodec<Target, Entry> {
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
  public Target target(Target item) {
    return item;
  }

  @Override
  public void writeRequest(XmlBuffer out, Target item, Place place) {
    out.raw("<_l:Destroy xmlns:_l=\"" + Namespaces.WSRL + "\"/>");
  }

  @Override
  public Target readRequest(XmlPull pull, RequestFrame frame) {
    Preconditions.none(frame, element());
    pull.skip();
    return frame.target();
  }

  @Override
  public void writeResponse(XmlBuffer out, Entry result, ReplyForm form, Place place) {
    out.raw("<_l:DestroyResponse xmlns:_l=\"" + Namespaces.WSRL + "\"");
    if (form.extended()) {
      out.raw(" xmlns:_x=\"" + Namespaces.EXT + "\">");
      EntryCodec.write(out, "entry", result);
      out.raw("</_l:DestroyResponse>");
    } else {
      out.raw("/>");
    }
  }

  @Override
  public Entry readResponse(XmlPull pull) {
    return EntryCodec.readOnly(pull);
  }

  @Override
  public Answer<Outcome<Entry>> call(NameService service, CallContext call, Target item, WsNames names) {
    Answer<List<Outcome<Entry>>> answer = service.query(call, QueryRequest.of(item));
    Outcome<Entry> found = answer.value().get(0);
    Optional<EntryId> directory = directory(found, item, call, names);
    if (directory.isEmpty()) {
      Outcome<Entry> refused =
          found instanceof Outcome.Done<Entry>
              ? Outcome.refused(new Refusal.NotDirectory(item, item.path().depth()))
              : found;
      return new Answer<>(refused, answer.position());
    }
    // By its identity: whatever has the name by then, it is this directory that ends.
    Removal removal = Removal.of(Target.of(directory.get()));
    Answer<List<Outcome<Entry>>> removed = service.remove(call, RemoveRequest.of(removal));
    if (removed.value().get(0) instanceof Outcome.Done<Entry> done) {
      link(service, ofLink(call), done.value(), names);
    }
    return new Answer<>(removed.value().get(0), removed.position());
  }

  /** The directory that is meant: in a call that is repeatable, also one that an earlier try has ended. */
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

  /** Leaves a link. Where the name has been taken meanwhile, or its directory removed, none is needed. */
  private static void link(NameService service, CallContext call, Entry removed, WsNames names) {
    try {
      service.add(call, AddRequest.of(link(removed, names)));
    } catch (RnsException e) {
      // An earlier try, by another URL of the service, has left it.
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

  /** The second write of a call that is repeatable has an id of its own, which follows from that of the first. */
  private static CallContext ofLink(CallContext call) {
    Optional<RequestId> id =
        call.requestId()
            .map(first -> "link " + first.text())
            .map(text -> new RequestId(UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString()));
    return new CallContext(call.caller(), id);
  }
}
