package io.rns.rserpool;

/**
 * Names an element; tables of elements are ordered by handle, then id.
 *
 * @param handle of its pool
 * @param id its id, unsigned
 */
public record ElementName(Octets handle, int id) {}
