package io.rns.wire;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.XMLConstants;

/**
 * Properties of a directory, in the order they were asked for.
 *
 * @param values the values
 */
public record PropertyValues(List<Value> values) {
  /** Copies the values. */
  public PropertyValues {
    values = List.copyOf(values);
  }

  /**
   * One property.
   *
   * @param property which
   * @param text its value as XML Schema writes it; empty for nil
   */
  public record Value(Property property, Optional<String> text) {}

  /** Asks a service for properties of a directory. */
  static Answer<Outcome<PropertyValues>> ask(
      NameService service, CallContext call, Target target, List<Property> properties) {
    boolean counts = properties.contains(Property.ELEMENT_COUNT);
    Answer<List<Outcome<Entry>>> answer = service.query(call, new QueryRequest(List.of(target), counts));
    return new Answer<>(ofOutcome(target, properties, answer.value().get(0)), answer.position());
  }

  private static Outcome<PropertyValues> ofOutcome(Target target, List<Property> properties, Outcome<Entry> found) {
    if (found instanceof Outcome.Refused<Entry> refused) {
      return Outcome.refused(refused.refusal());
    }
    return found.orThrow() instanceof VirtualDirectory directory
        ? Outcome.done(of(properties, directory))
        : Outcome.refused(new Refusal.NotDirectory(target, target.path().depth()));
  }

  private static PropertyValues of(List<Property> properties, VirtualDirectory directory) {
    List<Value> values = new ArrayList<>(properties.size());
    for (Property property : properties) {
      values.add(new Value(property, property.of(directory)));
    }
    return new PropertyValues(values);
  }

  /** Appends the elements. */
  void write(XmlBuffer out) {
    for (Value value : values) {
      String name = value.property().localName();
      if (value.text().isPresent()) {
        out.raw("<_n:").raw(name).raw(">").text(value.text().get()).raw("</_n:").raw(name).raw(">");
      } else {
        out.raw("<_n:").raw(name);
        out.raw(" xmlns:_i=\"" + XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI + "\" _i:nil=\"true\"/>");
      }
    }
  }

  /** Reads the children of the element at {@code pull} and moves to its end; foreign properties are passed over. */
  static PropertyValues read(XmlPull pull) {
    List<Value> values = new ArrayList<>();
    while (pull.nextChild()) {
      Property property = pull.namespace().equals(Namespaces.RNS_11) ? Property.named(pull.localName()) : null;
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
