package io.rns.wire;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Target;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.List;

/** {@code wsrp:GetResourcePropertyDocument}: the target is the directory. */
final class PropertyDocumentCodec implements ResourceOperationCodec<Target, PropertyValues> {
  @Override
  public String element() {
    return "GetResourcePropertyDocument";
  }

  @Override
  public String action() {
    return "http://docs.oasis-open.org/wsrf/rpw-2/" + element() + "/" + responseElement();
  }

  @Override
  public FaultTable faults() {
    return FaultTable.PROPERTIES;
  }

  @Override
  public Target target(Target item) {
    return item;
  }

  @Override
  public void writeRequest(XmlBuffer out, Target item, Place place) {
    out.raw("<_p:").raw(element()).raw(PropertiesCodec.DECLARATIONS).raw("/>");
  }

  @Override
  public Target readRequest(XmlPull pull, RequestFrame frame) {
    Preconditions.none(frame, element());
    pull.skip();
    return frame.target();
  }

  @Override
  public void writeResponse(XmlBuffer out, PropertyValues result, ReplyForm form, Place place) {
    out.raw("<_p:").raw(responseElement()).raw(PropertiesCodec.DECLARATIONS).raw("><_n:RNSRP>");
    result.write(out);
    out.raw("</_n:RNSRP></_p:").raw(responseElement()).raw(">");
  }

  @Override
  public PropertyValues readResponse(XmlPull pull) {
    PropertyValues values = new PropertyValues(List.of());
    while (pull.nextChild()) {
      if (pull.is(Namespaces.RNS_11, "RNSRP")) {
        values = PropertyValues.read(pull);
      } else {
        pull.skip();
      }
    }
    return values;
  }

  @Override
  public Answer<Outcome<PropertyValues>> call(NameService service, CallContext call, Target item, WsNames names) {
    return PropertyValues.ask(service, call, item, List.of(Property.values()));
  }
}
