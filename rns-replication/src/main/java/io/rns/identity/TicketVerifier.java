package io.rns.identity;

import io.rns.api.Caller;
import io.rns.error.RnsException;
import io.rns.ticket.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Verifies tickets. Thread-safe. */
final class TicketVerifier implements CredentialVerifier {
  private static final Duration LIFE = Duration.ofMinutes(10);

  private final TicketKeys keys;
  private final TicketSource source;
  private final InstantSource clock;

  TicketVerifier(TicketKeys keys, TicketSource source, InstantSource clock) {
    this.keys = keys;
    this.source = source;
    this.clock = clock;
  }

  @Override
  public boolean accepts(Credential credential) {
    return credential instanceof Credential.Bearer bearer && Ticket.isTicket(bearer.token());
  }

  @Override
  public Verification verify(Credential credential, String origin) {
    try {
      Ticket ticket = Ticket.parse(((Credential.Bearer) credential).token());
      // The key first: nothing is said about tickets that are not genuine.
      if (!ticket.isOf(keys.key(ticket.key()))) {
        return new Verification.Invalid("the ticket was not made by this service");
      }
      if (source.book().isEmpty()) {
        return new Verification.Undecided(false, "which tickets are revoked is not known at the moment");
      }
      if (source.book().get().isRevoked(ticket.id(), ticket.key())) {
        return new Verification.Invalid("the ticket was revoked");
      }
      Instant now = clock.instant();
      Instant until = ticket.until();
      if (!until.isAfter(now)) {
        return new Verification.Invalid("the ticket has expired");
      }
      Caller holder = ticket.caller();
      Instant again = now.plus(LIFE);
      return new Verification.Valid(holder, until.isBefore(again) ? until : again);
    } catch (RnsException e) {
      return new Verification.Invalid(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public long generation() {
    return source.generation();
  }
}
