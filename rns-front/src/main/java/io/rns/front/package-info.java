/**
 * The connection server: a process that terminates clients' HTTP connections and passes their requests to RNS servers
 * over pooled connections. It keeps no names itself.
 *
 * <p>Entry class: {@link io.rns.front.FrontProgram}; {@link io.rns.front.FrontServer} composes it. Every connection
 * belongs to one event loop ({@link io.rns.front.FrontLoop}) and so do the server connections that its requests use:
 * links and exchanges are not thread-safe and need no locks.
 */
@NullMarked
package io.rns.front;

import org.jspecify.annotations.NullMarked;
