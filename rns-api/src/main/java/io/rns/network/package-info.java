/**
 * Network addresses of clients.
 *
 * <p>Entry class: {@link io.rns.network.ClientNetwork}, which is stateless and safe for use by many threads.
 */
@NullMarked
package io.rns.network;

import org.jspecify.annotations.NullMarked;
