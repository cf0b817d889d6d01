/**
 * Iterators: the rest of a large answer, which a caller takes block by block. What an iterator goes through is a
 * {@link io.rns.server.iteration.ElementSource}; how far it has come is kept here and nowhere else.
 *
 * <p>Entry class: {@link io.rns.server.iteration.IteratorTable}, which is thread-safe, as is an
 * {@link io.rns.server.iteration.Iteration}; a {@link io.rns.server.iteration.ElementCursor} belongs to one thread.
 */
@NullMarked
package io.rns.server.iteration;

import org.jspecify.annotations.NullMarked;
