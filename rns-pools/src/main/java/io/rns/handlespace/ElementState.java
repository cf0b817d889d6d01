package io.rns.handlespace;

import java.util.OptionalLong;

/**
 * An element with its lease, reports and keep-alives.
 *
 * @param element its registration
 * @param lease the time of its registration
 * @param unreachableReports reporters counted by this registrar since it last registered or answered a keep-alive
 * @param askedMillis when an unanswered keep-alive was sent
 * @param keepAliveMillis when the next keep-alive is due, if this registrar is the home
 */
public record ElementState(
    RegisteredElement element, Lease lease, int unreachableReports, OptionalLong askedMillis,
    OptionalLong keepAliveMillis) {}
