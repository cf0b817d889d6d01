package io.rns.wire.resource;

import java.time.Instant;
import java.util.Optional;

/**
 * The end of a resource.
 *
 * @param end the time; empty for never
 * @param current the time of the server
 */
public record TerminationTime(Optional<Instant> end, Instant current) {}
