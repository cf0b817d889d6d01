package io.rns.rserpool;

/**
 * Identifies an element; tables are ordered by handle, then id.
 *
 * @param handle of its pool
 * @param id its id, unsigned
 */
public record ElementName(Octets handle, int id) {}
