/**
 * Tests of the policies: whose turn it is by hand, how often by counting.
 *
 * <p>Entry class: {@link io.rns.pool.Circle}, for one thread.
 */
@NullMarked
package io.rns.pool;

import org.jspecify.annotations.NullMarked;
