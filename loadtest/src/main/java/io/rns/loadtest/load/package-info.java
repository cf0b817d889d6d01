/**
 * {@code ./rns load}: operations against a running service beside their yardsticks, replay of traces, and the benchmark
 * of size.
 *
 * <p>Entry classes: {@link io.rns.loadtest.load.Benchmark}, {@link io.rns.loadtest.load.Replay} and
 * {@link io.rns.loadtest.load.SizeBenchmark}. Values are immutable; a run is for one thread.
 */
@NullMarked
package io.rns.loadtest.load;

import org.jspecify.annotations.NullMarked;
