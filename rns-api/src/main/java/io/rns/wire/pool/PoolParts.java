package io.rns.wire.pool;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.wire.Markup;
import io.rns.wire.Namespaces;
import io.rns.wire.Preconditions;
import io.rns.wire.RequestFrame;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** What messages about server pools are made of. */
public final class PoolParts {
  private PoolParts() {}

  /**
   * An element of a pool.
   *
   * @param handle of the pool
   * @param id of the element, unsigned, not 0
   */
  public record ElementName(RnsPath handle, int id) {}

  /** Refuses what names an entry where the element of the body names the pool. */
  static void noTarget(RequestFrame frame, String operation) {
    Preconditions.none(frame, operation);
    if (!frame.target().equals(Target.ROOT)) {
      throw new RnsException(RnsError.INVALID_REQUEST, operation + " takes no target: its own element names the pool");
    }
  }

  /** Appends the start tag of a payload up to its attributes, with no {@code >} yet. */
  static XmlBuffer open(XmlBuffer out, String element) {
    return out.raw("<_x:").raw(element).raw(Markup.DECLARATIONS);
  }

  /** Appends an end tag. */
  static void close(XmlBuffer out, String element) {
    out.raw("</_x:").raw(element).raw(">");
  }

  /** Reads the name of an element from an empty request and moves to its end. */
  static ElementName readElementName(XmlPull pull) {
    ElementName name = new ElementName(handle(pull, "handle"), id(pull, "element"));
    readEmpty(pull);
    return name;
  }

  static void writeElementName(XmlBuffer out, String element, ElementName name) {
    open(out, element).attribute("handle", name.handle().toString());
    out.attribute("element", Integer.toUnsignedString(name.id())).raw("/>");
  }

  /** Moves to the end of an element that has no children of ours. */
  static void readEmpty(XmlPull pull) {
    while (pull.nextChild()) {
      passOver(pull);
    }
  }

  /** Passes over an element of a request; one of ours is refused, as it meant something. */
  static void passOver(XmlPull pull) {
    if (pull.namespace().equals(Namespaces.EXT)) {
      throw Markup.unknownElement(pull);
    }
    pull.skip();
  }

  static RnsPath handle(XmlPull pull, String attribute) {
    return RnsPath.parse(Markup.required(pull, attribute));
  }

  static PolicyType policy(XmlPull pull) {
    String name = Markup.required(pull, "policy");
    return PolicyType.ofName(name)
        .orElseThrow(
            () -> new RnsException(RnsError.INVALID_REQUEST, "there is no policy '" + Markup.shown(name) + "'"));
  }

  /** An id in an attribute: a decimal number of 32 bits without sign, not 0. */
  static int id(XmlPull pull, String attribute) {
    int id = unsigned32(attribute, Markup.required(pull, attribute));
    if (id == 0) {
      throw new RnsException(RnsError.INVALID_REQUEST, "attribute '" + attribute + "' is 0, which is no id");
    }
    return id;
  }

  /** A number of 32 bits without sign. */
  static int unsigned32(String attribute, String text) {
    long value = Markup.unsigned("attribute '" + attribute + "'", text);
    if (value > Parameters.FULL) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "attribute '" + attribute + "' is not of 0 to " + Parameters.FULL);
    }
    return (int) value;
  }

  /** A number from 0 on, or another if the attribute is not there. */
  static long number(XmlPull pull, String attribute, long otherwise) {
    String text = pull.attribute("", attribute);
    return text == null ? otherwise : Markup.unsigned("attribute '" + attribute + "'", text);
  }

  /** A number from 0 on, if the attribute is there. */
  static OptionalLong numberIfSaid(XmlPull pull, String attribute) {
    long number = number(pull, attribute, -1);
    return number < 0 ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /** A number from 0 on that must be there, up to the greatest of 32 bits with a sign. */
  static int count(XmlPull pull, String attribute) {
    long value = Markup.unsigned("attribute '" + attribute + "'", Markup.required(pull, attribute));
    return (int) Math.min(Integer.MAX_VALUE, value);
  }

  /** Whether {@code pull} is at a child that {@link #readEndpoint} reads. */
  static boolean isEndpoint(XmlPull pull) {
    return pull.is(Namespaces.EXT, "endpoint");
  }

  /** Reads an endpoint behind those before it. */
  static void readEndpoint(XmlPull pull, List<EndpointReference> endpoints) {
    Limits.check("a pool element", endpoints.size() + 1L, Limits.EPRS_PER_ENTRY, "endpoints");
    endpoints.add(EndpointReference.read(pull));
  }

  static void writeEndpoints(XmlBuffer out, List<EndpointReference> endpoints) {
    for (EndpointReference endpoint : endpoints) {
      endpoint.writeTo(out, "_x:endpoint");
    }
  }

  static boolean isParameters(XmlPull pull) {
    return pull.is(Namespaces.EXT, "parameters");
  }

  /** What the children of an element in an answer tell: where it serves, and what it reported. */
  record Told(List<EndpointReference> endpoints, Parameters parameters) {}

  /** Reads the rest of an element of an answer, and passes over what newer servers may tell. */
  static Told readTold(XmlPull pull) {
    List<EndpointReference> endpoints = endpoints();
    Parameters parameters = Parameters.PLAIN;
    while (pull.nextChild()) {
      if (isEndpoint(pull)) {
        readEndpoint(pull, endpoints);
      } else if (isParameters(pull)) {
        parameters = readParameters(pull);
      } else {
        pull.skip();
      }
    }
    return new Told(endpoints, parameters);
  }

  /** Reads parameters; what is not said is as in {@link Parameters#PLAIN}. */
  static Parameters readParameters(XmlPull pull) {
    Occupancy occupancy =
        new Occupancy(number(pull, "epoch", 0), number(pull, "accepted", 0), number(pull, "occupied", 0),
            number(pull, "limit", 0));
    Parameters parameters =
        new Parameters(
            number(pull, "weight", 1),
            number(pull, "priority", 0),
            number(pull, "load", 0),
            number(pull, "load-degradation", 0),
            number(pull, "distance-factor", 0),
            occupancy);
    pull.skip();
    return parameters;
  }

  /** Appends what differs from {@link Parameters#PLAIN}. */
  static void writeParameters(XmlBuffer out, Parameters parameters) {
    if (parameters.equals(Parameters.PLAIN)) {
      return;
    }
    out.raw("<_x:parameters");
    if (parameters.weight() != 1) {
      out.attribute("weight", parameters.weight());
    }
    writeIfSaid(out, "priority", parameters.priority());
    writeIfSaid(out, "load", parameters.load());
    writeIfSaid(out, "load-degradation", parameters.loadDegradation());
    writeIfSaid(out, "distance-factor", parameters.distanceFactor());
    writeIfSaid(out, "epoch", parameters.occupancy().epoch());
    writeIfSaid(out, "accepted", parameters.occupancy().accepted());
    writeIfSaid(out, "occupied", parameters.occupancy().occupied());
    writeIfSaid(out, "limit", parameters.occupancy().limit());
    out.raw("/>");
  }

  static void writeIfSaid(XmlBuffer out, String attribute, long value) {
    if (value != 0) {
      out.attribute(attribute, value);
    }
  }

  /** An empty list of endpoints to read into. */
  static List<EndpointReference> endpoints() {
    return new ArrayList<>(1);
  }
}
