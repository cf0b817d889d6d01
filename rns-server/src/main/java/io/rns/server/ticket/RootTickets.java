package io.rns.server.ticket;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.TicketBook;

/**
 * The tickets of a tree at the primary of the group that owns the root, for servers that are not that primary. The
 * groups of a tree share the secret from which root keys are derived.
 */
public interface RootTickets {
  /**
   * What is true there now.
   *
   * @param digest of what is known here
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the primary cannot be asked, or is not sure to be it
   */
  TicketsJson read(String digest);

  /**
   * Changes the tickets there.
   *
   * @throws RnsException what the primary refuses with; {@link RnsError#UNAVAILABLE} if it cannot be asked
   */
  TicketBook change(TicketChange change);
}
