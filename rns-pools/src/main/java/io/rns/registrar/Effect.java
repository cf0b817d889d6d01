package io.rns.registrar;

import io.rns.rserpool.Message;

/** What the carrier has to do, in order. */
public sealed interface Effect {
  /**
   * Send a message.
   *
   * @param to to whom
   * @param message what
   */
  record Send(Recipient to, Message message) implements Effect {}

  /**
   * Close a connection, after what was sent on it.
   *
   * @param connection as the carrier named it
   */
  record Close(long connection) implements Effect {}
}
