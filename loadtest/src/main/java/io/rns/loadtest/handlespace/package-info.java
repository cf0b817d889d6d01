/**
 * What the handlespace of production costs: its operations on one pool of many elements, measured by JMH, and its
 * balanced tree beside other ordered sets. The operations are those of figures 6 and 7 of T. Dreibholz and E. P.
 * Rathgeb, "An Evaluation of the Pool Maintenance Overhead in Reliable Server Pooling Systems", 2007; below it is
 * called the paper.
 *
 * <p>Entry class: {@link io.rns.loadtest.handlespace.HandlespaceRuns}. The states of JMH are for one thread; records
 * are immutable.
 */
@NullMarked
package io.rns.loadtest.handlespace;

import org.jspecify.annotations.NullMarked;
