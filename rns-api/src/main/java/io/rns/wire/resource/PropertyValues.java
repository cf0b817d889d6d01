package io.rns.wire.resource;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.wire.Namespaces;
import io.rns.wire.ReplyHeaders;
import io.rns.wire.ResourceTarget;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.xml.XMLConstants;

/**
 * Properties of a resource, in the order requested.
 *
 * @param values the values
 */
public record PropertyValues(List<Value> values) {
  public PropertyValues {
    values = List.copyOf(values);
  }

  /**
   * One property.
   *
   * @param property the property
   * @param text its value in the lexical form of XML Schema; empty for nil
   */
  public record Value(Property property, Optional<String> text) {}

  /** Returns properties of a resource; all must be defined for its kind. */
  static Answer<Outcome<PropertyValues>> ask(
      Resources resources, CallContext call, ResourceTarget target, List<Property> properties) {
    if (target.iterator().isPresent()) {
      return ofIterator(resources, target.iterator().get(), properties);
    }
    // Whether a caller may see the names in a directory is known by their number being told.
    boolean counts = properties.contains(Property.ELEMENT_COUNT) || properties.contains(Property.READABLE);
    return TargetOperationCodec.ofDirectory(
        resources.service().query(call, new QueryRequest(List.of(target.directory()), counts)),
        target.directory(),
        directory -> of(properties, property -> property.of(directory, resources.clock().instant())));
  }

  private static Answer<Outcome<PropertyValues>> ofIterator(Resources resources, String id, List<Property> properties) {
    Optional<Iterators.State> state = resources.iterators().find(id);
    if (state.isEmpty()) {
      return Iterators.gone(id);
    }
    Instant now = resources.clock().instant();
    PropertyValues values = of(properties, property -> property.of(state.get(), now));
    return Answer.of(Outcome.done(values), ReplyHeaders.NOWHERE);
  }

  private static PropertyValues of(List<Property> properties, Function<Property, Optional<String>> value) {
    List<Value> values = new ArrayList<>(properties.size());
    for (Property property : properties) {
      values.add(new Value(property, value.apply(property)));
    }
    return new PropertyValues(values);
  }

  /** Appends the elements; the prefix of RNS 1.1 must be declared. */
  void write(XmlBuffer out) {
    for (Value value : values) {
      String name = value.property().prefix() + ":" + value.property().localName();
      out.raw("<").raw(name).raw(value.property().declaration());
      if (value.text().isPresent()) {
        out.raw(">").text(value.text().get()).raw("</").raw(name).raw(">");
      } else {
        out.raw(" xmlns:_i=\"" + XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI + "\" _i:nil=\"true\"/>");
      }
    }
  }

  /** Appends them as the property document of their resource, self-contained. */
  void writeDocument(XmlBuffer out) {
    boolean ofIterator = values.stream().anyMatch(value -> value.property() == Property.ITERATOR_SIZE);
    String name = ofIterator ? "_t:WSIteratorRP" : "_n:RNSRP";
    out.raw("<").raw(name).raw(" xmlns:_n=\"" + Namespaces.RNS_11 + "\"");
    out.raw(ofIterator ? Property.ITERATOR_SIZE.declaration() : "").raw(">");
    write(out);
    out.raw("</").raw(name).raw(">");
  }

  /** Reads the children of the element at {@code pull} and moves to its end; skips foreign properties. */
  public static PropertyValues read(XmlPull pull) {
    List<Value> values = new ArrayList<>();
    while (pull.nextChild()) {
      Property property = Property.named(pull.namespace(), pull.localName());
      if (property == null) {
        pull.skip();
      } else if (pull.isNil()) {
        pull.skip();
        values.add(new Value(property, Optional.empty()));
      } else {
        values.add(new Value(property, Optional.of(pull.text().trim())));
      }
    }
    return new PropertyValues(values);
  }
}
