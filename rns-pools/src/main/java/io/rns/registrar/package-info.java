/**
 * The registrar of server pools: maintains a {@link io.rns.handlespace.Handlespace} by the rules of ASAP (RFC 5352) for
 * pool elements and users, and of ENRP (RFC 5353) among registrars. Pools survive the loss of all registrars but one.
 *
 * <p>Pure and deterministic: input is messages, closed connections and the time; output is messages to send and
 * connections to close. The carrier does the I/O.
 *
 * <p>Entry class: {@link io.rns.registrar.Registrar}. Not thread-safe.
 */
@NullMarked
package io.rns.registrar;

import org.jspecify.annotations.NullMarked;
