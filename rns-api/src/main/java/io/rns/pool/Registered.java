package io.rns.pool;

/**
 * The result of a registration.
 *
 * @param home the registrar that monitors the element from now on, unsigned 32 bits
 * @param version increases with every registration of the element
 */
public record Registered(int home, long version) {}
