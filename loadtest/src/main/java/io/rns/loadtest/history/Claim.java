package io.rns.loadtest.history;

/**
 * A server that said it was the primary.
 *
 * @param server which one
 * @param epoch of that server
 * @param at when, in nanoseconds of the history's clock
 */
public record Claim(String server, int epoch, long at) {}
