/**
 * Figures of simulated pools: which scenarios belong to which figure of the paper that {@link io.rns.loadtest.sim}
 * names, their repetition with confidence intervals, tables and plots of them, and what the paper claims of them,
 * checked one by one.
 *
 * <p>Entry classes: {@link io.rns.loadtest.figure.Experiment} and {@link io.rns.loadtest.figure.Claims}. Values are
 * immutable; an experiment is for one thread, which it lets several others work for.
 */
@NullMarked
package io.rns.loadtest.figure;

import org.jspecify.annotations.NullMarked;
