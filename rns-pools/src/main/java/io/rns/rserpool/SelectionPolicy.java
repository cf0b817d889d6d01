package io.rns.rserpool;

/**
 * A pool member selection policy (RFC 5354, section 3.8, and RFC 5356).
 *
 * @param type its number, such as 0x40000001 for least used
 * @param data the element's parameters for it, as on the wire
 */
public record SelectionPolicy(int type, Octets data) {}
