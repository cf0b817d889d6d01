/**
 * Admission of requests: as many concurrent ones as the server has places, shared fairly among callers; the others are
 * rejected at once, with a retry time. The rule, {@link io.rns.server.overload.AdmissionPlaces}, knows no clock and no
 * lock.
 *
 * <p>Entry class: {@link io.rns.server.overload.RequestAdmission}, which is thread-safe.
 */
@NullMarked
package io.rns.server.overload;

import org.jspecify.annotations.NullMarked;
