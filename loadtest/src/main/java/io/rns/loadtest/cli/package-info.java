/**
 * The commands of the load test: {@code ./rns load}, {@code trace}, {@code link}, {@code drill}, {@code sim},
 * {@code figures} and {@code bench}.
 *
 * <p>Entry class: {@link io.rns.loadtest.cli.LoadtestProgram}. For one thread.
 */
@NullMarked
package io.rns.loadtest.cli;

import org.jspecify.annotations.NullMarked;
