/**
 * What clients of a server group did and were told, and the checks that say whether the group kept its promises.
 *
 * <p>Entry class: {@link io.rns.loadtest.history.Checker}. Values are immutable; nothing here reads a clock, a file or
 * the network.
 */
@NullMarked
package io.rns.loadtest.history;

import org.jspecify.annotations.NullMarked;
