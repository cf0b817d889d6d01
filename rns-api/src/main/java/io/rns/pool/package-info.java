/**
 * Selection policies of server pools: which pool element comes next. A policy orders candidates and does nothing else:
 * it has no input or output, no clock and no source of randomness but the one it is given, and remembers nothing. What
 * it needs to know of an element is in the element's {@link io.rns.pool.SelectionState}.
 *
 * <p>The rules are those of RFC 5356, of its delay-sensitive extension, and two of our own (credits, adaptive).
 *
 * <p>Beside the policies stands what pools offer to elements and users, {@link io.rns.pool.PoolService}, with its
 * values.
 *
 * <p>Entry classes: {@link io.rns.pool.PolicyType}, {@link io.rns.pool.PoolService}. Every class here is immutable or
 * without state and safe to share between threads.
 */
@NullMarked
package io.rns.pool;

import org.jspecify.annotations.NullMarked;
