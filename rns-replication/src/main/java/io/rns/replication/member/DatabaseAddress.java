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
   * Reads {@code host:port}. Brackets of an IPv6 address are left out: databases take none.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST}
   */
  static DatabaseAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    try {
      String host = text.substring(0, colon);
      boolean bracketed = host.startsWith("[") && host.endsWith("]");
      return new DatabaseAddress(
          bracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "'" + text + "' is not an address like host:3306", e);
    }
  }
}
