package io.rns.handlespace;

/**
 * The time of a registration, by the clock of the handlespace.
 *
 * @param registeredMillis when the element was last registered, as far as was heard
 * @param expiresMillis when that ends; {@link Long#MAX_VALUE} for never
 */
public record Lease(long registeredMillis, long expiresMillis) {}
