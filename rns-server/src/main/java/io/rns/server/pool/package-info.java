/**
 * Server pools in a server: the registrar that it runs, queries of junctions that stand for pools, and pools over plain
 * HTTP.
 *
 * <p>Entry class: {@link io.rns.server.pool.ServerPools}. All are safe to share between threads.
 */
@NullMarked
package io.rns.server.pool;

import org.jspecify.annotations.NullMarked;
