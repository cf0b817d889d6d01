package io.rns.wire.resource;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Outcome;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.FaultTable;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.Preconditions;
import io.rns.wire.ReplyForm;
import io.rns.wire.RequestFrame;
import io.rns.wire.ResourceTarget;
import io.rns.wire.resource.PropertiesCodec.Asked;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;

/** {@code wsrp:GetResourceProperty} and {@code wsrp:GetMultipleResourceProperties}: the target is the resource. */
public final class PropertiesCodec implements ResourceOperationCodec<Asked, PropertyValues> {
  /** More than exist, and few enough to return. */
  private static final int MOST = 64;

  /** The prefixes of messages about properties. */
  static final String DECLARATIONS = " xmlns:_p=\"" + Namespaces.WSRP + "\" xmlns:_n=\"" + Namespaces.RNS_11 + "\"";

  private final boolean many;

  PropertiesCodec(boolean many) {
    this.many = many;
  }

  /**
   * The content of a request.
   *
   * @param resource the resource
   * @param properties the properties; exactly one unless the operation permits several
   */
  public record Asked(ResourceTarget resource, List<Property> properties) {}

  @Override
  public String element() {
    return many ? "GetMultipleResourceProperties" : "GetResourceProperty";
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
  public Target target(Asked item) {
    return item.resource().directory();
  }

  @Override
  public void writeRequest(XmlBuffer out, Asked item, Place place) {
    out.raw("<_p:").raw(element()).raw(DECLARATIONS);
    out.raw(" xmlns:_t=\"" + Namespaces.ITERATOR + "\" xmlns:_l=\"" + Namespaces.WSRL + "\">");
    for (Property property : item.properties()) {
      out.raw(many ? "<_p:ResourceProperty>" : "").raw(property.prefix()).raw(":").raw(property.localName());
      out.raw(many ? "</_p:ResourceProperty>" : "");
    }
    out.raw("</_p:").raw(element()).raw(">");
  }

  @Override
  public Asked readRequest(XmlPull pull, RequestFrame frame) {
    Preconditions.none(frame, element());
    List<Property> properties = new ArrayList<>(6);
    if (!many) {
      properties.add(property(pull.qname(), frame.resource()));
      return new Asked(frame.resource(), properties);
    }
    while (pull.nextChild()) {
      if (pull.is(Namespaces.WSRP, "ResourceProperty")) {
        Limits.check(element(), properties.size() + 1L, MOST, "properties");
        properties.add(property(pull.qname(), frame.resource()));
      } else {
        pull.skip();
      }
    }
    if (properties.isEmpty()) {
      throw new RnsException(RnsError.INVALID_REQUEST, element() + " has no element 'ResourceProperty'");
    }
    return new Asked(frame.resource(), properties);
  }

  private static Property property(QName name, ResourceTarget resource) {
    Property property = Property.named(name.getNamespaceURI(), name.getLocalPart());
    if (property == null || !Property.of(resource).contains(property)) {
      String kind = resource.iterator().isPresent() ? "an iterator" : "a directory";
      throw new RnsException(RnsError.INVALID_REQUEST,
          kind + " has no property '" + Markup.shown(name.toString()) + "'");
    }
    return property;
  }

  @Override
  public void writeResponse(XmlBuffer out, PropertyValues result, ReplyForm form, Place place) {
    out.raw("<_p:").raw(responseElement()).raw(DECLARATIONS).raw(">");
    result.write(out);
    out.raw("</_p:").raw(responseElement()).raw(">");
  }

  @Override
  public PropertyValues readResponse(XmlPull pull) {
    return PropertyValues.read(pull);
  }

  @Override
  public Answer<Outcome<PropertyValues>> call(Resources resources, CallContext call, Asked item) {
    return PropertyValues.ask(resources, call, item.resource(), item.properties());
  }
}
