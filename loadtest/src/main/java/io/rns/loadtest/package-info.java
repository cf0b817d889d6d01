/**
 * Loads a running service and compares it with yardsticks: the messages of the operations, the data they need, the
 * workloads, the replay of traces, the benchmark of size, and the report.
 *
 * <p>Entry classes: {@link io.rns.loadtest.Benchmark}, {@link io.rns.loadtest.Replay} and
 * {@link io.rns.loadtest.SizeBenchmark}. Values are immutable; what drives a run is for one thread.
 */
@NullMarked
package io.rns.loadtest;

import org.jspecify.annotations.NullMarked;
