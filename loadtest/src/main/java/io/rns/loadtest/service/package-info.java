/**
 * A running service as the load generator sees it: where it is, its messages, sessions of bytes or of the Java client,
 * the entries that a load works with, and the yardsticks beside it.
 *
 * <p>Entry classes: {@link io.rns.loadtest.service.RnsPeer} and {@link io.rns.loadtest.service.LoadDirectory}. Values
 * are immutable; sessions and directories are for one thread.
 */
@NullMarked
package io.rns.loadtest.service;

import org.jspecify.annotations.NullMarked;
