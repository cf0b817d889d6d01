package io.rns.handlespace;

/**
 * Tells whether two registrars see the same elements of one home registrar.
 *
 * @param internet the 16 bits of RFC 5353: which elements there are (RFC 1071 over handle and id, in network order)
 * @param versions 64 bits over handle, id and version: also a lost re-registration is noticed
 */
public record Checksum(int internet, long versions) {
  /** The checksum of no elements. */
  public static final Checksum NONE = new Checksum(0xffff, 0);
}
