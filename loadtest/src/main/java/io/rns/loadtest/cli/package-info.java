/**
 * The command lines: {@code ./rns load}, {@code ./rns drill failover}, {@code ./rns sim}.
 *
 * <p>Entry classes: {@link io.rns.loadtest.cli.LoadtestCommand}, {@link io.rns.loadtest.cli.DrillCommand},
 * {@link io.rns.loadtest.cli.SimCommand}. For one thread.
 */
@NullMarked
package io.rns.loadtest.cli;

import org.jspecify.annotations.NullMarked;
