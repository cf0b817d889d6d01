package io.rns.handlespace;

/**
 * Shows whether two registrars see the same elements of a home registrar.
 *
 * @param internet the 16 bits of RFC 5353 over handles and ids (RFC 1071, in network order)
 * @param versions 64 bits over handles, ids and versions, which also reveal a lost re-registration
 */
public record Checksum(int internet, long versions) {
  /** The checksum of no elements. */
  public static final Checksum NONE = new Checksum(0xffff, 0);
}
