package io.rns.handlespace;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.Registration;

/**
 * A registered pool element.
 *
 * @param registration its own registration
 * @param home the registrar at which it last registered, unsigned 32 bits, not 0
 * @param version increases with every registration known to its registrar: of two states of an element the higher is
 *        newer
 */
public record RegisteredElement(Registration registration, int home, long version) {
  /**
   * Checks the limits.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  public RegisteredElement {
    if (home == 0 || version < 0) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "pool element " + Integer.toUnsignedString(registration.id()) + " has home 0 or version " + version
              + " below 0");
    }
  }

  /** The id, unique in its pool; unsigned. */
  public int id() {
    return registration.id();
  }
}
