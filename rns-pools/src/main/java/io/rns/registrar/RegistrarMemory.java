package io.rns.registrar;

/**
 * The memory of a registrar for elements.
 *
 * @param bytes estimated memory of the elements in all pools
 * @param refused announcements of other registrars for which there was no room, since the start; they are repeated
 */
public record RegistrarMemory(long bytes, long refused) {}
