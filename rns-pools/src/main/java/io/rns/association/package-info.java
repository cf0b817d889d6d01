/**
 * Carries ASAP and ENRP over TCP: one stream of messages per connection, which replaces the association of the
 * standards. Registrars may announce themselves by multicast over UDP ({@link io.rns.association.Multicast}).
 *
 * <p>Entry classes: {@link io.rns.association.RegistrarServer} and, for callers in the same process,
 * {@link io.rns.association.RegistrarPools}; both are thread-safe. One thread reads and writes all connections and
 * shares the registrar with local callers. Buffers are bounded: a connection whose other end does not read is closed,
 * and a connection that sends too fast is read more slowly.
 */
@NullMarked
package io.rns.association;

import org.jspecify.annotations.NullMarked;
