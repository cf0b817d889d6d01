package io.rns.rserpool;

import java.util.List;
import java.util.Optional;

/**
 * The messages of ASAP (RFC 5352, section 2.2). Ids are unsigned. Handles are bytes, which our registrars read as
 * paths.
 */
public sealed interface AsapMessage extends Message {
  /**
   * Registers or re-registers an element.
   *
   * @param handle of its pool
   * @param element the element
   */
  record Registration(Octets handle, ElementDescription element) implements AsapMessage {}

  /**
   * Deregisters an element.
   *
   * @param handle of its pool
   * @param id its id
   */
  record Deregistration(Octets handle, int id) implements AsapMessage {}

  /**
   * The response to a registration.
   *
   * @param rejected whether it was rejected; otherwise causes are warnings
   * @param handle of the pool
   * @param id of the element
   * @param causes the reasons
   */
  record RegistrationResponse(boolean rejected, Octets handle, int id, List<ErrorCause> causes) implements AsapMessage {
    /** Copies. */
    public RegistrationResponse {
      causes = List.copyOf(causes);
    }
  }

  /**
   * The response to a deregistration; also sent unsolicited when a lifetime ends.
   *
   * @param handle of the pool
   * @param id of the element
   * @param causes the reasons for a failure
   */
  record DeregistrationResponse(Octets handle, int id, List<ErrorCause> causes) implements AsapMessage {
    /** Copies. */
    public DeregistrationResponse {
      causes = List.copyOf(causes);
    }
  }

  /**
   * Asks for elements of a pool.
   *
   * @param subscribe whether the user wants updates
   * @param handle of the pool
   */
  record HandleResolution(boolean subscribe, Octets handle) implements AsapMessage {}

  /**
   * The response to a handle resolution.
   *
   * @param subscribed whether updates will be sent
   * @param handle of the pool
   * @param policy of the pool; if absent and there are elements, round robin
   * @param elements the best first
   * @param causes why there are no elements
   */
  record HandleResolutionResponse(
      boolean subscribed,
      Octets handle,
      Optional<SelectionPolicy> policy,
      List<ElementDescription> elements,
      List<ErrorCause> causes)
      implements
        AsapMessage {
    /** Copies. */
    public HandleResolutionResponse {
      elements = List.copyOf(elements);
      causes = List.copyOf(causes);
    }
  }

  /**
   * Asks an element for a sign of life.
   *
   * @param newHome whether the registrar becomes its home
   * @param server the registrar
   * @param handle of the pool
   */
  record KeepAlive(boolean newHome, int server, Octets handle) implements AsapMessage {}

  /**
   * The response to a keep-alive.
   *
   * @param handle of the pool
   * @param id of the element
   */
  record KeepAliveAck(Octets handle, int id) implements AsapMessage {}

  /**
   * Reports an element that a user could not reach.
   *
   * @param handle of the pool
   * @param id of the element
   */
  record Unreachable(Octets handle, int id) implements AsapMessage {}

  /**
   * Announces a registrar.
   *
   * @param server the registrar
   * @param transports where it listens
   * @param service extension: the address of its server for SOAP and HTTP, UTF-8
   */
  record ServerAnnounce(int server, List<Transport> transports, Optional<Octets> service) implements AsapMessage {
    /** Copies. */
    public ServerAnnounce {
      transports = List.copyOf(transports);
    }
  }

  /**
   * Session state of an element, kept by its user.
   *
   * @param value opaque to the user
   */
  record Cookie(Octets value) implements AsapMessage {}

  /**
   * A cookie, passed to the element that takes over the session.
   *
   * @param value opaque to the user
   */
  record CookieEcho(Octets value) implements AsapMessage {}

  /**
   * The elements to fail over to.
   *
   * @param handle of the pool
   * @param elements in order of preference
   */
  record BusinessCard(Octets handle, List<ElementDescription> elements) implements AsapMessage {
    /** Copies. */
    public BusinessCard {
      elements = List.copyOf(elements);
    }
  }

  /**
   * Reports an error in a message.
   *
   * @param causes 1 or more
   */
  record ErrorReport(List<ErrorCause> causes) implements AsapMessage {
    /** Copies. */
    public ErrorReport {
      causes = List.copyOf(causes);
    }
  }
}
