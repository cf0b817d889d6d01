package io.rns.pool;

/**
 * What an element learns when it registers.
 *
 * @param home the registrar that watches over it from now on, unsigned 32 bits
 * @param version grows with every registration of the element
 */
public record Registered(int home, long version) {}
