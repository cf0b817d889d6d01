/**
 * The command line: one class per command, all of one shape ({@link io.rns.client.cli.ServiceCommand}).
 *
 * <p>Entry class: {@link io.rns.client.cli.RnsCommand}. A command runs once, on one thread.
 */
@NullMarked
package io.rns.client.cli;

import org.jspecify.annotations.NullMarked;
