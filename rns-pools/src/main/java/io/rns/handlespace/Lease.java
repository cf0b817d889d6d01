package io.rns.handlespace;

/**
 * The time of a registration, by the clock of the handlespace.
 *
 * @param registeredMillis when the element last registered, as far as this registrar knows
 * @param expiresMillis when the registration ends; {@link Long#MAX_VALUE} for never
 */
public record Lease(long registeredMillis, long expiresMillis) {}
