/**
 * HTTP/1.1 messages as bytes: heads, read strictly (RFC 9112), and the end of bodies. No I/O.
 *
 * <p>Heads and the progress of bodies are plain values, so that a connection can move to another process in the middle
 * of a message. Immutable, but for {@link io.rns.front.message.BodyEnd}, which belongs to one thread.
 */
@NullMarked
package io.rns.front.message;

import org.jspecify.annotations.NullMarked;
