/**
 * Figures of a server for Prometheus. Existing statistics are read on each scrape; only the times of requests are
 * measured here.
 *
 * <p>Entry class: {@link io.rns.server.metrics.ServerMetrics}, which is thread-safe.
 */
@NullMarked
package io.rns.server.metrics;

import org.jspecify.annotations.NullMarked;
