package io.rns.wire.resource;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Outcome;
import io.rns.wire.FaultTable;
import io.rns.wire.ReplyForm;
import io.rns.wire.ResourceTarget;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.List;

/** {@code wsrp:GetResourcePropertyDocument}: the target is the resource. */
final class PropertyDocumentCodec implements TargetOperationCodec<PropertyValues> {
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
  public void writeRequest(XmlBuffer out, ResourceTarget item, Place place) {
    out.raw("<_p:").raw(element()).raw(PropertiesCodec.DECLARATIONS).raw("/>");
  }

  @Override
  public void writeResponse(XmlBuffer out, PropertyValues result, ReplyForm form, Place place) {
    out.raw("<_p:").raw(responseElement()).raw(PropertiesCodec.DECLARATIONS).raw(">");
    result.writeDocument(out);
    out.raw("</_p:").raw(responseElement()).raw(">");
  }

  @Override
  public PropertyValues readResponse(XmlPull pull) {
    PropertyValues values = new PropertyValues(List.of());
    while (pull.nextChild()) {
      values = PropertyValues.read(pull);
    }
    return values;
  }

  @Override
  public Answer<Outcome<PropertyValues>> call(Resources resources, CallContext call, ResourceTarget item) {
    return PropertyValues.ask(resources, call, item, Property.of(item));
  }
}
