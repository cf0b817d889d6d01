/**
 * Selection policies of server pools. A policy is a pure function that orders candidates: no input or output, no clock,
 * no memory, and random numbers are a parameter. Its input is the {@link io.rns.pool.SelectionState} of each element.
 *
 * <p>The rules are those of RFC 5356, of its delay-sensitive extension, and two of our own (credits, adaptive).
 *
 * <p>The package also contains the interface of pools for elements and users, {@link io.rns.pool.PoolService}, with its
 * values.
 *
 * <p>Entry classes: {@link io.rns.pool.PolicyType}, {@link io.rns.pool.PoolService}. Every class here is immutable or
 * stateless and safe to share between threads.
 */
@NullMarked
package io.rns.pool;

import org.jspecify.annotations.NullMarked;
