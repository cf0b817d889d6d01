/**
 * Server pools from both sides: {@link io.rns.client.pool.PoolElement} registers a server and keeps it registered,
 * {@link io.rns.client.pool.PoolUser} finds a server and goes on at the next where one fails. Both work over any
 * {@link io.rns.pool.PoolService}, such as {@code RnsConnection.pools()}.
 *
 * <p>Entry classes: {@link io.rns.client.pool.PoolElement}, {@link io.rns.client.pool.PoolUser}, and, to find servers
 * by multicast, {@link io.rns.client.pool.AnnouncedRegistrar}. Each class says whether threads may share it. One daemon
 * thread renews the registrations of all elements of a process; it ends when there are none.
 */
@NullMarked
package io.rns.client.pool;

import org.jspecify.annotations.NullMarked;
