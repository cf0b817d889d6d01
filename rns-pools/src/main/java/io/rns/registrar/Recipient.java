package io.rns.registrar;

import io.rns.rserpool.Transport;

/** The recipient of a message. */
public sealed interface Recipient {
  /**
   * The other end of an open connection.
   *
   * @param id given by the carrier
   */
  record Connected(long id) implements Recipient {}

  /**
   * A listening address. The carrier connects, or reuses a connection it opened to this address. If connecting fails,
   * the message is lost.
   *
   * @param transport the address
   */
  record Listening(Transport transport) implements Recipient {}

  /** Whoever listens to the multicast group of the registrars. */
  record Everyone() implements Recipient {}
}
