/**
 * Contests: what is compared takes turns under the same conditions. RNS and its peers, replicas at one and two sites,
 * one server and two, resolution by each protocol.
 *
 * <p>Entry class: {@link io.rns.loadtest.contest.Contest}. Contests are values; a run is for one thread.
 */
@NullMarked
package io.rns.loadtest.contest;

import org.jspecify.annotations.NullMarked;
