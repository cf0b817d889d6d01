package io.rns.server.ticket;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.TicketBook;
import io.rns.identity.TicketBook.Made;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change of the tickets, also as JSON between servers.
 *
 * @param id of a ticket; empty with a new key
 * @param made the ticket to add
 * @param maker whose ticket may be revoked; null for anybody's
 */
public record TicketChange(Kind kind, String id, @Nullable Made made, @Nullable String maker) {
  /** What is changed. */
  enum Kind {
    ADD, REVOKE, RENEW_KEY
  }

  static TicketChange add(String id, Made made) {
    return new TicketChange(Kind.ADD, id, made, null);
  }

  static TicketChange revoke(String id, @Nullable String maker) {
    return new TicketChange(Kind.REVOKE, id, null, maker);
  }

  static TicketChange renewKey() {
    return new TicketChange(Kind.RENEW_KEY, "", null, null);
  }

  /**
   * The tickets afterwards.
   *
   * @throws RnsException if it cannot be made
   */
  TicketBook apply(TicketBook before, Instant now) {
    return switch (kind) {
      case ADD -> before.with(id, Objects.requireNonNull(made), now);
      case REVOKE -> {
        // A ticket of somebody else is as unknown as one that never was.
        if (before.find(id).filter(found -> maker == null || found.maker().equals(maker)).isEmpty()) {
          throw new RnsException(RnsError.NO_SUCH_ENTRY, "there is no ticket '" + id + "' that has not expired");
        }
        yield before.revoked(id, now);
      }
      case RENEW_KEY -> before.withNewKey();
    };
  }
}
