/**
 * Admission of requests: as many at a time as the server has places, shared fairly among callers; the others are turned
 * away at once and told when to come back. The rule, {@link io.rns.server.overload.AdmissionPlaces}, knows no clock and
 * no lock.
 *
 * <p>Entry class: {@link io.rns.server.overload.RequestAdmission}, which is thread-safe.
 */
@NullMarked
package io.rns.server.overload;

import org.jspecify.annotations.NullMarked;
