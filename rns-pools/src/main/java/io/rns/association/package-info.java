/**
 * Carries ASAP and ENRP over TCP: one stream of messages per connection, which stands for the association of the
 * standards.
 *
 * <p>Entry classes: {@link io.rns.association.RegistrarServer} and, for callers in the same process,
 * {@link io.rns.association.RegistrarPools}, which are safe to share between threads. One thread reads and writes all
 * connections and takes turns with callers at the registrar. What waits is bounded: a connection whose other end does
 * not read is closed, and one that sends too fast is read more slowly.
 */
@NullMarked
package io.rns.association;

import org.jspecify.annotations.NullMarked;
