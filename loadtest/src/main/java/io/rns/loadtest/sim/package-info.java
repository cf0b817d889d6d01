/**
 * A simulated server pool: users with requests, elements that share their capacity among the requests they hold, and a
 * registrar that runs the handlespace and the policies of production ({@link io.rns.handlespace}, {@link io.rns.pool}).
 * Events happen in the order of simulated time; the same scenario with the same seed gives the same numbers to the last
 * bit.
 *
 * <p>The model is that of X. Zhou, T. Dreibholz and E. P. Rathgeb, "Evaluation of a Simple Load Balancing Improvement
 * for Reliable Server Pooling with Heterogeneous Server Pools", 2007, sections 3 and 4; below it is called the paper,
 * and its equations keep their numbers.
 *
 * <p>Entry class: {@link io.rns.loadtest.sim.Simulation}. Records are immutable; everything else is for one thread, and
 * simulations share nothing, so that many may run side by side.
 */
@NullMarked
package io.rns.loadtest.sim;

import org.jspecify.annotations.NullMarked;
