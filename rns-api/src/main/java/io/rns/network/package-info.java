/**
 * Network addresses of clients, and multicast groups.
 *
 * <p>Entry classes: {@link io.rns.network.ClientNetwork} and {@link io.rns.network.MulticastGroup}, which are immutable
 * or stateless, and safe for use by many threads.
 */
@NullMarked
package io.rns.network;

import org.jspecify.annotations.NullMarked;
