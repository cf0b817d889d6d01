package io.rns.api;

/**
 * A result and the position it reflects.
 *
 * @param value the result
 * @param position for a write, where it stands in the order of changes; for a read, a position whose changes it sees
 */
public record Answer<T>(T value, Position position) {}
