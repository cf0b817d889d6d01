/**
 * The command line of the load test: {@code ./rns load}.
 *
 * <p>Entry class: {@link io.rns.loadtest.cli.LoadtestCommand}. For one thread.
 */
@NullMarked
package io.rns.loadtest.cli;

import org.jspecify.annotations.NullMarked;
