/**
 * The registrar of server pools: keeps a {@link io.rns.handlespace.Handlespace} by the rules of ASAP (RFC 5352) for
 * pool elements and users, and of ENRP (RFC 5353) with other registrars, so that pools survive the loss of all but one.
 *
 * <p>It is pure and deterministic: it takes messages, closed connections and the time, and gives what is to be sent and
 * closed. Whoever carries messages does that and nothing else.
 *
 * <p>Entry class: {@link io.rns.registrar.Registrar}, which is for one thread at a time.
 */
@NullMarked
package io.rns.registrar;

import org.jspecify.annotations.NullMarked;
