package io.rns.registrar;

import io.rns.rserpool.Message;

/** An action for the carrier. */
public sealed interface Effect {
  /**
   * Send a message.
   *
   * @param to the recipient
   * @param message the message
   */
  record Send(Recipient to, Message message) implements Effect {}

  /**
   * Close a connection after everything queued on it was sent.
   *
   * @param connection the id given by the carrier
   */
  record Close(long connection) implements Effect {}

  /**
   * Write a warning to the log.
   *
   * @param text what operators should know
   */
  record Warn(String text) implements Effect {}
}
