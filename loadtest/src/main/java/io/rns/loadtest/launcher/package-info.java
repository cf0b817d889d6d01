/**
 * The launcher {@code ./rns} as a program that a run uses, and directories that a run has for a while.
 *
 * <p>Entry class: {@link io.rns.loadtest.launcher.Launcher}, which is immutable.
 */
@NullMarked
package io.rns.loadtest.launcher;

import org.jspecify.annotations.NullMarked;
