/**
 * Changes as they are committed, over HTTP: {@code GET /watch?path=PATH&from=POSITION} answers a stream of server-sent
 * events that does not end. docs/protocol.md describes it.
 *
 * <p>Entry class: {@link io.rns.server.watch.WatchServlet}.
 */
@NullMarked
package io.rns.server.watch;

import org.jspecify.annotations.NullMarked;
