/**
 * The server: its configuration, how its parts are put together, and its life in an application server.
 *
 * <p>Entry class: {@link io.rns.server.RnsServer}.
 */
@NullMarked
package io.rns.server;

import org.jspecify.annotations.NullMarked;
