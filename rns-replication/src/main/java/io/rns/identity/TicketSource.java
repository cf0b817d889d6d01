package io.rns.identity;

import java.util.Optional;

/** What a server knows of the tickets of its service. Thread-safe; both methods cost little. */
public interface TicketSource {
  /** The tickets as last read; empty if that is too long ago. */
  Optional<TicketBook> book();

  /** Another number than before whenever the answer of {@link #book} is another one. */
  long generation();
}
