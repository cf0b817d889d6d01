/**
 * Makes the servers of a group one service: who is primary, which requests it must answer, and how the role changes.
 *
 * <p>Entry classes: {@link io.rns.replication.RoutingNameService} for requests, {@link io.rns.replication.Handover} for
 * planned and unplanned changes of primary. Independent of databases and servlets.
 */
@NullMarked
package io.rns.replication;

import org.jspecify.annotations.NullMarked;
