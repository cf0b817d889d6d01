package io.rns.replication.member;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/**
 * Where a database is reached.
 *
 * @param host its name or address
 * @param port its port
 */
record DatabaseAddress(String host, int port) {
  /**
   * Reads {@code host:port}.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  static DatabaseAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    try {
      return new DatabaseAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "'" + text + "' is not an address like host:3306", e);
    }
  }
}
