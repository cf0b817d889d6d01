package io.rns.wire;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.List;

/** {@code resolve} of a reference resolver: the target is the directory whose reference is wanted. */
final class ResolveCodec implements ResourceOperationCodec<Target, EndpointReference> {
  @Override
  public String element() {
    return "resolve";
  }

  @Override
  public String responseElement() {
    return "EndpointReference";
  }

  @Override
  public String action() {
    return Namespaces.NAMING_WSDL + "/ReferenceResolver/ResolveResponse";
  }

  @Override
  public FaultTable faults() {
    return FaultTable.RESOLVE;
  }

  @Override
  public Target target(Target item) {
    return item;
  }

  @Override
  public void writeRequest(XmlBuffer out, Target item, Place place) {
    out.raw("<_v:resolve xmlns:_v=\"" + Namespaces.NAMING_WSDL + "\"/>");
  }

  @Override
  public Target readRequest(XmlPull pull, RequestFrame frame) {
    Preconditions.none(frame, element());
    pull.skip();
    return frame.target();
  }

  @Override
  public void writeResponse(XmlBuffer out, EndpointReference result, ReplyForm form, Place place) {
    write(out, result);
  }

  @Override
  public EndpointReference readResponse(XmlPull pull) {
    return EndpointReference.read(pull);
  }

  @Override
  public Answer<Outcome<EndpointReference>> call(NameService service, CallContext call, Target item, WsNames names) {
    return ask(service, call, item, names);
  }

  /** Appends the answer of both resolvers. */
  static void write(XmlBuffer out, EndpointReference reference) {
    out.raw("<_a:EndpointReference xmlns:_a=\"" + Namespaces.WSA + "\"").raw(reference.attributes()).raw(">");
    out.raw(reference.content()).raw("</_a:EndpointReference>");
  }

  /** Asks for the reference that a directory has now. */
  static Answer<Outcome<EndpointReference>> ask(NameService service, CallContext call, Target target, WsNames names) {
    Answer<List<Outcome<Entry>>> answer = service.query(call, QueryRequest.of(target));
    return new Answer<>(ofOutcome(target, answer.value().get(0), names), answer.position());
  }

  private static Outcome<EndpointReference> ofOutcome(Target target, Outcome<Entry> found, WsNames names) {
    if (found instanceof Outcome.Refused<Entry> refused) {
      return Outcome.refused(refused.refusal());
    }
    return found.orThrow() instanceof VirtualDirectory directory
        ? Outcome.done(names.reference(directory.id()))
        : Outcome.refused(new Refusal.NotDirectory(target, target.path().depth()));
  }
}
