package io.rns.client.pool;

import io.rns.error.RnsException;
import io.rns.pool.Registered;

/**
 * Receives the state of a pool element, in the thread that renews it: it must not block. A listener of several elements
 * is called by several threads.
 */
public interface ElementListener {
  /** Does nothing. */
  ElementListener NONE = new ElementListener() {
  };

  /**
   * The element is registered, or renewed.
   *
   * @param id of the element, unsigned; another than before if that was taken
   * @param registered the answer: another home means that another registrar watches over it now
   */
  default void registered(int id, Registered registered) {}

  /**
   * The element could not register, renew or leave. It goes on trying until it is closed.
   *
   * @param error why
   */
  default void failed(RnsException error) {}
}
