/**
 * The change of primary in simulated groups: the production code runs in virtual time, over simulated databases,
 * networks and clocks, while servers and databases crash, pause and lose their connections. A seed is one history.
 *
 * <p>Entry class: {@link io.rns.replication.simulation.GroupHistory}. One thread of a history runs at a time;
 * {@link io.rns.replication.simulation.HistorySearch} runs a history on each processor.
 */
@NullMarked
package io.rns.replication.simulation;

import org.jspecify.annotations.NullMarked;
