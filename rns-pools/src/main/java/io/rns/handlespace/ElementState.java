package io.rns.handlespace;

import java.util.OptionalLong;

/**
 * An element and how it is with it.
 *
 * @param element as it is registered
 * @param lease for how long
 * @param unreachableReports how many reports of users this registrar has counted since the last registration
 * @param askedMillis when it was asked whether it lives, if it has not answered yet
 * @param keepAliveMillis when it is to be asked next, if this registrar is to
 */
public record ElementState(
    RegisteredElement element, Lease lease, int unreachableReports, OptionalLong askedMillis,
    OptionalLong keepAliveMillis) {}
