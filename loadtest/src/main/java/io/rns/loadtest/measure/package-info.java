/**
 * What a load is measured with: closed and open loops, their schedule, latencies and failures, and workloads run in
 * turns so that they can be compared although a machine is never the same for long.
 *
 * <p>Entry classes: {@link io.rns.loadtest.measure.LoadRun} and {@link io.rns.loadtest.measure.Rounds}. Records are
 * immutable but for the histograms in them, which nobody changes after a run; the others are for one thread.
 */
@NullMarked
package io.rns.loadtest.measure;

import org.jspecify.annotations.NullMarked;
