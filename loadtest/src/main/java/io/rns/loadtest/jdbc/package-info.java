/**
 * The yardstick beneath the service: plain statements on the same database, one row each, committed one by one.
 *
 * <p>Entry class: {@link io.rns.loadtest.jdbc.TablePeer}, thread-safe; its sessions are for one thread each.
 */
@NullMarked
package io.rns.loadtest.jdbc;

import org.jspecify.annotations.NullMarked;
