/**
 * Tickets that callers make, and where they are kept.
 *
 * <p>Entry classes: {@link io.rns.server.ticket.TicketStore} and {@link io.rns.server.ticket.TicketServlet}, which
 * threads may share.
 */
@NullMarked
package io.rns.server.ticket;

import org.jspecify.annotations.NullMarked;
