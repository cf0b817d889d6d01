package io.rns.registrar;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.handlespace.ElementKey;
import io.rns.handlespace.RegisteredElement;
import io.rns.handlespace.TableEntry;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.ElementName;
import io.rns.rserpool.ErrorCause;
import io.rns.rserpool.Octets;
import io.rns.rserpool.Transport;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Converts between elements of the handlespace and their wire format. */
final class Descriptions {
  private static final long MILLIS = 1_000;

  /** UTF-8 bytes per character, at most. */
  private static final int CHARACTER_BYTES = 3;

  /** Upper bound for headers, ids, policy and the XML around a reference. */
  private static final int OTHER_BYTES = 512;

  private Descriptions() {}

  static Octets handle(RnsPath path) {
    return Octets.utf8(path.toString());
  }

  /**
   * Parses a pool handle as a path.
   *
   * @throws RnsException if the handle is not a valid path
   */
  static RnsPath path(Octets handle) {
    return RnsPath.parse(Endpoints.utf8(ByteBuffer.wrap(handle.toBytes())));
  }

  /**
   * The key of an element in the handlespace.
   *
   * @throws RnsException if the handle is not a valid path
   */
  static ElementKey key(Octets handle, int id) {
    return new ElementKey(path(handle), id);
  }

  static ElementName name(ElementKey key) {
    return new ElementName(handle(key.handle()), key.id());
  }

  static ElementDescription description(PolicyType policy, RegisteredElement element) {
    Registration registration = element.registration();
    long lifetime = registration.lifetimeMillis();
    Occupancy occupancy = registration.parameters().occupancy();
    return new ElementDescription(
        element.id(),
        element.home(),
        lifetime == Registration.FOREVER ? ElementDescription.FOREVER : seconds(lifetime),
        Endpoints.transport(registration.endpoints()),
        PolicyData.policy(policy, registration.parameters()),
        registration.control().map(control -> Endpoints.transport(List.of(control))),
        Optional.of(element.version()),
        occupancy.equals(Occupancy.UNKNOWN) ? Optional.empty() : Optional.of(occupancy));
  }

  /** An upper bound for the bytes an element takes in any message, without its handle. */
  static long mostBytes(Registration registration) {
    long bytes = OTHER_BYTES;
    for (EndpointReference endpoint : registration.endpoints()) {
      bytes += mostBytes(endpoint);
    }
    return bytes + registration.control().map(Descriptions::mostBytes).orElse(0L);
  }

  private static long mostBytes(EndpointReference endpoint) {
    return OTHER_BYTES + (long) CHARACTER_BYTES * (endpoint.content().length() + endpoint.attributes().length());
  }

  /** Lifetime in seconds, rounded up: peers must not expire an element before its home, which announces the expiry. */
  private static int seconds(long lifetimeMillis) {
    return (int) Math.min(Integer.MAX_VALUE, (lifetimeMillis - 1) / MILLIS + 1);
  }

  /**
   * Decodes the registration of an element.
   *
   * @throws RnsException if it is invalid or not supported
   */
  static Registration registration(ElementDescription element) {
    Parameters parameters = PolicyData.parameters(element.policy());
    int life = element.lifeSeconds();
    return new Registration(
        element.id(),
        Endpoints.references(element.user()),
        parameters.withOccupancy(element.occupancy().orElse(Occupancy.UNKNOWN)),
        life == ElementDescription.FOREVER ? Registration.FOREVER : life * MILLIS,
        element.control().map(Descriptions::control));
  }

  private static EndpointReference control(Transport transport) {
    List<EndpointReference> references = Endpoints.references(transport);
    if (references.size() != 1) {
      throw new RnsException(RnsError.INVALID_REQUEST,
          "a control transport is one reference, not " + references.size());
    }
    return references.get(0);
  }

  /**
   * Decodes an element announced by a peer.
   *
   * @param version used if the peer, of another implementation, sends no version
   * @throws RnsException if it is invalid or not supported
   */
  static TableEntry entry(Octets handle, ElementDescription element, long version) {
    RegisteredElement known =
        new RegisteredElement(registration(element), element.home(), element.version().orElse(version));
    return new TableEntry(path(handle), PolicyData.type(element.policy()), known);
  }

  /** The RSerPool error cause for an RNS error. */
  static ErrorCause cause(RnsException e) {
    int code = e.error() == RnsError.LIMIT_EXCEEDED ? ErrorCause.NO_RESOURCES : ErrorCause.INVALID_VALUES;
    return ErrorCause.of(code, String.valueOf(e.getMessage()));
  }
}
