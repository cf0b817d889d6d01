/**
 * A name service on the other end of an HTTP connection, and walks over any name service.
 *
 * <p>Entry classes: {@link io.rns.client.RnsClient} for the service, {@link io.rns.client.Entries} for one directory
 * and {@link io.rns.client.TreeWalk} for a subtree. What {@code RnsClient} builds is safe for use by many threads and
 * meant to be shared; iterators and walks belong to one thread.
 */
@NullMarked
package io.rns.client;

import org.jspecify.annotations.NullMarked;
