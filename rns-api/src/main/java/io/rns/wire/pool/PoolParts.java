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

/** Parts of messages about server pools. */
public final class PoolParts {
  private PoolParts() {}

  /**
   * The name of a pool element.
   *
   * @param handle the path of the pool
   * @param id the id of the element, unsigned, not 0
   */
  public record ElementName(RnsPath handle, int id) {}

  /** Rejects a message that names a target entry; the element of the body names the pool. */
  static void noTarget(RequestFrame frame, String operation) {
    Preconditions.none(frame, operation);
    if (!frame.target().equals(Target.ROOT)) {
      throw new RnsException(RnsError.INVALID_REQUEST, operation + " takes no target: its own element names the pool");
    }
  }

  /** Appends the start tag of a payload up to its attributes, without the {@code >}. */
  static XmlBuffer open(XmlBuffer out, String element) {
    return out.raw("<_x:").raw(element).raw(Markup.DECLARATIONS);
  }

  /** Appends an end tag. */
  static void close(XmlBuffer out, String element) {
    out.raw("</_x:").raw(element).raw(">");
  }

  /** Reads the name of a pool element from an empty request and moves to its end. */
  static ElementName readElementName(XmlPull pull) {
    ElementName name = new ElementName(handle(pull, "handle"), id(pull, "element"));
    readEmpty(pull);
    return name;
  }

  static void writeElementName(XmlBuffer out, String element, ElementName name) {
    open(out, element).attribute("handle", name.handle().toString());
    out.attribute("element", Integer.toUnsignedString(name.id())).raw("/>");
  }

  /** Moves to the end of an element without children of ours. */
  static void readEmpty(XmlPull pull) {
    while (pull.nextChild()) {
      passOver(pull);
    }
  }

  /** Skips an element of a request. One of ours is rejected, since ignoring it could change the meaning. */
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

  /** An id in an attribute: an unsigned decimal number of 32 bits, not 0. */
  static int id(XmlPull pull, String attribute) {
    int id = unsigned32(attribute, Markup.required(pull, attribute));
    if (id == 0) {
      throw new RnsException(RnsError.INVALID_REQUEST, "attribute '" + attribute + "' is 0, which is not a valid id");
    }
    return id;
  }

  /** An unsigned 32-bit number. */
  static int unsigned32(String attribute, String text) {
    long value = Markup.unsigned("attribute '" + attribute + "'", text);
    if (value > Parameters.FULL) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "attribute '" + attribute + "' is not between 0 and " + Parameters.FULL);
    }
    return (int) value;
  }

  /** A non-negative number, or a default if the attribute is missing. */
  static long number(XmlPull pull, String attribute, long otherwise) {
    String text = pull.attribute("", attribute);
    return text == null ? otherwise : Markup.unsigned("attribute '" + attribute + "'", text);
  }

  /** A non-negative number, if the attribute is present. */
  static OptionalLong numberIfSaid(XmlPull pull, String attribute) {
    long number = number(pull, attribute, -1);
    return number < 0 ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /** A mandatory number from 0 to 2^31 - 1. */
  static int count(XmlPull pull, String attribute) {
    long value = Markup.unsigned("attribute '" + attribute + "'", Markup.required(pull, attribute));
    return (int) Math.min(Integer.MAX_VALUE, value);
  }

  /** Whether {@link #readEndpoint} supports the child at {@code pull}. */
  static boolean isEndpoint(XmlPull pull) {
    return pull.is(Namespaces.EXT, "endpoint");
  }

  /** Reads an endpoint and appends it to the list. */
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

  /** The children of an element in a response: its endpoints and its last report. */
  record Content(List<EndpointReference> endpoints, Parameters parameters) {}

  /** Reads the remaining children of an element of a response; skips unknown ones from newer servers. */
  static Content readContent(XmlPull pull) {
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
    return new Content(endpoints, parameters);
  }

  /** Reads parameters; missing ones default to {@link Parameters#PLAIN}. */
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

  /** Appends the parameters that differ from {@link Parameters#PLAIN}. */
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

  static List<EndpointReference> endpoints() {
    return new ArrayList<>(1);
  }
}
