/**
 * Tickets: tokens that give a part of their maker's rights to whoever holds them, and that every holder can narrow
 * (macaroons). Entry class: {@link io.rns.ticket.Ticket}; all classes are immutable.
 */
@NullMarked
package io.rns.ticket;

import org.jspecify.annotations.NullMarked;
