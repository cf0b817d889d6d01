package io.rns.wire.resource;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.EntryId;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.wire.FaultTable;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.Preconditions;
import io.rns.wire.ReplyForm;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.Optional;

/** {@code resolveEPI} of an endpoint identifier resolver; the request is the identifier itself. */
public final class ResolveEpiCodec implements ResourceOperationCodec<String, EndpointReference> {
  @Override
  public String element() {
    return "EndpointIdentifier";
  }

  @Override
  public String responseElement() {
    return "EndpointReference";
  }

  @Override
  public String action() {
    return Namespaces.NAMING_WSDL + "/EndpointIdentifierResolver/ResolveResponse";
  }

  @Override
  public boolean renews() {
    return true;
  }

  @Override
  public FaultTable faults() {
    return FaultTable.RESOLVE;
  }

  /** The service as a whole: the identifier names the directory. */
  @Override
  public Target target(String item) {
    return Target.ROOT;
  }

  @Override
  public void writeRequest(XmlBuffer out, String item, Place place) {
    out.raw("<_w:EndpointIdentifier xmlns:_w=\"" + Namespaces.NAMING + "\">").text(item);
    out.raw("</_w:EndpointIdentifier>");
  }

  @Override
  public String readRequest(XmlPull pull, RequestFrame frame) {
    Preconditions.none(frame, element());
    return pull.text().trim();
  }

  @Override
  public void writeResponse(XmlBuffer out, EndpointReference result, ReplyForm form, Place place) {
    ResolveCodec.write(out, result);
  }

  @Override
  public EndpointReference readResponse(XmlPull pull) {
    return EndpointReference.read(pull);
  }

  @Override
  public Answer<Outcome<EndpointReference>> call(Resources resources, CallContext call, String item) {
    Optional<EntryId> directory = resources.names().directory(item);
    if (directory.isEmpty()) {
      String message = "endpoint identifier '" + Markup.shown(item) + "' belongs to no directory of this service";
      Refusal refusal = new Refusal.Invalid(Target.ROOT, RnsError.NO_SUCH_ENTRY, message);
      return Answer.of(Outcome.refused(refusal), ReplyHeaders.NOWHERE);
    }
    return ResolveCodec.ask(resources, call, Target.of(directory.get()));
  }
}
