/**
 * What makes the servers of a group one service: who is the primary, which requests it has to answer, and how that
 * changes hands.
 *
 * <p>Entry classes: {@link io.rns.replication.RoutingNameService} for requests, {@link io.rns.replication.Handover} for
 * planned and unplanned changes of the primary. Nothing here knows a database or a servlet.
 */
@NullMarked
package io.rns.replication;

import org.jspecify.annotations.NullMarked;
