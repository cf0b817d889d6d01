package io.rns.registrar;

import io.rns.rserpool.Transport;

/** To whom a message goes. */
public sealed interface Recipient {
  /**
   * Who is at the other end of a connection that is open.
   *
   * @param id as the carrier named it
   */
  record Connected(long id) implements Recipient {}

  /**
   * Who listens at an address: connect, unless a connection made for this is still open. If that fails, the message is
   * lost.
   *
   * @param transport the address
   */
  record Listening(Transport transport) implements Recipient {}
}
