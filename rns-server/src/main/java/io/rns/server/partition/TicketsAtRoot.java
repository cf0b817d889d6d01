package io.rns.server.partition;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.TicketBook;
import io.rns.server.http.ServerJson;
import io.rns.server.ticket.RootTickets;
import io.rns.server.ticket.TicketChange;
import io.rns.server.ticket.TicketsJson;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the primary of the root's group about tickets, by signed requests: from other groups, and from replicas of that
 * group. Thread-safe.
 *
 * @param partitions who that is; null while the server starts
 */
public record TicketsAtRoot(Supplier<@Nullable Partitions> partitions) implements RootTickets {
  private static final Duration READ = Duration.ofSeconds(2);
  private static final Duration CHANGE = Duration.ofSeconds(10);

  @Override
  public TicketsJson read(String digest) {
    return ask("GET", "/tickets?known=" + digest, "", READ, TicketsJson.class);
  }

  @Override
  public TicketBook change(TicketChange change) {
    try {
      return ask("POST", "/tickets", ServerJson.MAPPER.writeValueAsString(change), CHANGE, TicketBook.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a change of tickets cannot be written", e);
    }
  }

  private <T> T ask(String method, String what, String body, Duration most, Class<T> answered) {
    Partitions known = partitions.get();
    if (known == null) {
      throw new RnsException(RnsError.UNAVAILABLE, "the server is starting");
    }
    try {
      return known.ask(method, known.primaryOfRoot(), what, body, most, answered);
    } catch (RnsException e) {
      if (e.error() != RnsError.NOT_PRIMARY) {
        throw e;
      }
      // The client would look for a primary of this group.
      throw new RnsException(RnsError.UNAVAILABLE, "the group of the root changes its primary: " + e.getMessage(), e);
    }
  }
}
