package io.rns.rserpool;

import java.util.List;
import java.util.Optional;

/** The messages of ASAP (RFC 5352, section 2.2). Ids are unsigned; handles are bytes, which ours read as paths. */
public sealed interface AsapMessage extends Message {
  /**
   * An element registers, or again.
   *
   * @param handle of its pool
   * @param element itself
   */
  record Registration(Octets handle, ElementDescription element) implements AsapMessage {}

  /**
   * An element leaves.
   *
   * @param handle of its pool
   * @param id its id
   */
  record Deregistration(Octets handle, int id) implements AsapMessage {}

  /**
   * The answer to a registration.
   *
   * @param rejected whether it was refused; otherwise causes are warnings
   * @param handle of the pool
   * @param id of the element
   * @param causes why
   */
  record RegistrationResponse(boolean rejected, Octets handle, int id, List<ErrorCause> causes) implements AsapMessage {
    /** Copies. */
    public RegistrationResponse {
      causes = List.copyOf(causes);
    }
  }

  /**
   * The answer to a deregistration, also unasked when a lifetime is over.
   *
   * @param handle of the pool
   * @param id of the element
   * @param causes why not
   */
  record DeregistrationResponse(Octets handle, int id, List<ErrorCause> causes) implements AsapMessage {
    /** Copies. */
    public DeregistrationResponse {
      causes = List.copyOf(causes);
    }
  }

  /**
   * A user asks for elements.
   *
   * @param subscribe whether it wants to hear of changes
   * @param handle of the pool
   */
  record HandleResolution(boolean subscribe, Octets handle) implements AsapMessage {}

  /**
   * The answer to it.
   *
   * @param subscribed whether changes will be told
   * @param handle of the pool
   * @param policy of the pool; without, and with elements, round robin
   * @param elements the best first
   * @param causes why there are none
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
   * A registrar asks an element whether it lives.
   *
   * @param newHome whether the registrar is its home from now on
   * @param server the registrar
   * @param handle of the pool
   */
  record KeepAlive(boolean newHome, int server, Octets handle) implements AsapMessage {}

  /**
   * It lives.
   *
   * @param handle of the pool
   * @param id of the element
   */
  record KeepAliveAck(Octets handle, int id) implements AsapMessage {}

  /**
   * A user could not reach an element.
   *
   * @param handle of the pool
   * @param id of the element
   */
  record Unreachable(Octets handle, int id) implements AsapMessage {}

  /**
   * A registrar is there.
   *
   * @param server the registrar
   * @param transports where it can be reached
   */
  record ServerAnnounce(int server, List<Transport> transports) implements AsapMessage {
    /** Copies. */
    public ServerAnnounce {
      transports = List.copyOf(transports);
    }
  }

  /**
   * State of a session that its user keeps for the element.
   *
   * @param value what only the element understands
   */
  record Cookie(Octets value) implements AsapMessage {}

  /**
   * The same, given to the element that takes over.
   *
   * @param value what only elements understand
   */
  record CookieEcho(Octets value) implements AsapMessage {}

  /**
   * To whom to fail over.
   *
   * @param handle of the pool
   * @param elements the preferred first
   */
  record BusinessCard(Octets handle, List<ElementDescription> elements) implements AsapMessage {
    /** Copies. */
    public BusinessCard {
      elements = List.copyOf(elements);
    }
  }

  /**
   * Something was wrong with a message.
   *
   * @param causes what, 1 and more
   */
  record ErrorReport(List<ErrorCause> causes) implements AsapMessage {
    /** Copies. */
    public ErrorReport {
      causes = List.copyOf(causes);
    }
  }
}
