/**
 * What clients of a server group did and observed, and the checks of what the group promises.
 *
 * <p>Entry class: {@link io.rns.loadtest.history.HistoryChecker}. Values are immutable; nothing here reads a clock, a
 * file or the network.
 */
@NullMarked
package io.rns.loadtest.history;

import org.jspecify.annotations.NullMarked;
