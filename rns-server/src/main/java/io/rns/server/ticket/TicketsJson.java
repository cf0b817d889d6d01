package io.rns.server.ticket;

import io.rns.identity.TicketBook;
import org.jspecify.annotations.Nullable;

/**
 * The tickets, as JSON between servers.
 *
 * @param digest of the tickets
 * @param book the tickets; null if the other server has those with this digest
 */
public record TicketsJson(String digest, @Nullable TicketBook book) {}
