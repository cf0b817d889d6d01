/**
 * The command line: one class per command, all with one shape ({@link io.rns.cli.ServiceCommand}).
 *
 * <p>Entry class: {@link io.rns.cli.RnsCommand}. A command runs once, on one thread.
 */
@NullMarked
package io.rns.cli;

import org.jspecify.annotations.NullMarked;
