package io.rns.loadtest.measure;

/**
 * A request that failed.
 *
 * @param kind how
 * @param text what was seen
 */
public record Failure(FailureKind kind, String text) {}
