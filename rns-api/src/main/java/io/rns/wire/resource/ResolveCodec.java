package io.rns.wire.resource;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.wire.FaultTable;
import io.rns.wire.Namespaces;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.ResourceTarget;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;

/** {@code resolve} of a reference resolver: the target is the directory whose reference is requested. */
public final class ResolveCodec implements TargetOperationCodec<EndpointReference> {
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
  public boolean renews() {
    return true;
  }

  @Override
  public FaultTable faults() {
    return FaultTable.RESOLVE;
  }

  @Override
  public void writeRequest(XmlBuffer out, ResourceTarget item, Place place) {
    out.raw("<_v:resolve xmlns:_v=\"" + Namespaces.NAMING_WSDL + "\"/>");
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
  public Answer<Outcome<EndpointReference>> call(Resources resources, CallContext call, ResourceTarget item) {
    if (item.iterator().isPresent()) {
      Refusal refusal =
          new Refusal.Invalid(Target.ROOT, RnsError.INVALID_REQUEST, "an iterator is not resolved: it does not move");
      return Answer.of(Outcome.refused(refusal), ReplyHeaders.NOWHERE);
    }
    return ask(resources, call, item.directory());
  }

  /** Appends the response of both resolvers. */
  static void write(XmlBuffer out, EndpointReference reference) {
    out.raw("<_a:EndpointReference xmlns:_a=\"" + Namespaces.WSA + "\"").raw(reference.attributes()).raw(">");
    out.raw(reference.content()).raw("</_a:EndpointReference>");
  }

  /** Looks up the current reference of a directory. */
  static Answer<Outcome<EndpointReference>> ask(Resources resources, CallContext call, Target target) {
    return TargetOperationCodec.ofDirectory(
        resources.service().query(call, QueryRequest.of(target)),
        target,
        directory -> resources.names().reference(directory.id()));
  }
}
