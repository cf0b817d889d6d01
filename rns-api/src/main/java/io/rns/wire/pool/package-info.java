/**
 * The messages about server pools, in our extension namespace.
 *
 * <p>Entry class: {@link io.rns.wire.pool.PoolOperations}. Codecs are immutable and safe for use by many threads.
 */
@NullMarked
package io.rns.wire.pool;

import org.jspecify.annotations.NullMarked;
