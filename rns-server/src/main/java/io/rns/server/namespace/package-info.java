/**
 * The namespace over one database: resolution of paths, the cache, and the one writer that applies all changes in
 * order.
 *
 * <p>Entry class: {@link io.rns.server.namespace.LocalNameService}, which is thread-safe.
 */
@NullMarked
package io.rns.server.namespace;

import org.jspecify.annotations.NullMarked;
