/**
 * Figures of a server for Prometheus. What others count already is read from their statistics when somebody asks; only
 * the times of requests are taken here.
 *
 * <p>Entry class: {@link io.rns.server.metrics.ServerMetrics}, which is thread-safe.
 */
@NullMarked
package io.rns.server.metrics;

import org.jspecify.annotations.NullMarked;
