package io.rns.identity;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The tickets that a service has made, and the root key with which it makes them. Immutable.
 *
 * @param key the number of the root key; tickets of earlier ones are revoked
 * @param tickets by id; expired ones are dropped
 */
public record TicketBook(long key, Map<String, Made> tickets) {
  /** No ticket. */
  public static final TicketBook EMPTY = new TicketBook(1, Map.of());

  /** Tickets that are kept, at most. */
  public static final int MOST = 5_000;

  /** Characters of their makers' names and caveats, at most: all are read and written as one document. */
  public static final int MOST_CHARACTERS = 2 << 20;

  /**
   * A ticket.
   *
   * @param maker the name of the caller who made it
   * @param untilMillis when it expires
   * @param caveats in the words of the token
   */
  public record Made(String maker, long untilMillis, List<String> caveats, boolean revoked) {
    public Made {
      caveats = List.copyOf(caveats);
    }

    private long characters() {
      return maker.length() + caveats.stream().mapToLong(String::length).sum();
    }
  }

  public TicketBook {
    tickets = Collections.unmodifiableMap(new TreeMap<>(tickets));
  }

  /** The ticket with an id; empty if it has expired or there never was one. */
  public Optional<Made> find(String id) {
    return Optional.ofNullable(tickets.get(id));
  }

  /** Whether tickets with an id and a key number are revoked. */
  boolean isRevoked(String id, long number) {
    Made made = tickets.get(id);
    return number != key || (made != null && made.revoked());
  }

  /**
   * With another ticket, and without those that have expired.
   *
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} if there are too many, or too many of this maker
   */
  public TicketBook with(String id, Made made, Instant now) {
    Map<String, Made> next = new TreeMap<>(tickets);
    // Servers whose clocks are behind still accept what has just expired.
    long expired = now.minus(TokenVerifier.SKEW.multipliedBy(2)).toEpochMilli();
    next.values().removeIf(other -> other.untilMillis() < expired);
    if (!next.containsKey(id)) {
      checkShare(made, next.values());
    }
    next.put(id, made);
    return new TicketBook(key, next);
  }

  /** All tickets are one document, and no maker may use it up for the others. */
  private static void checkShare(Made made, Collection<Made> others) {
    long own = 1;
    long ownCharacters = made.characters();
    long foreign = 0;
    long foreignCharacters = 0;
    for (Made other : others) {
      if (other.maker().equals(made.maker())) {
        own++;
        ownCharacters += other.characters();
      } else {
        foreign++;
        foreignCharacters += other.characters();
      }
    }
    if (own > share(MOST - foreign)) {
      throw new RnsException(
          RnsError.LIMIT_EXCEEDED,
          "'" + made.maker() + "' has " + (own - 1) + " tickets that have not expired; allowed are three quarters of "
              + (MOST - foreign) + ", which the tickets of others leave of " + MOST);
    }
    if (ownCharacters > share(MOST_CHARACTERS - foreignCharacters)) {
      throw new RnsException(
          RnsError.LIMIT_EXCEEDED,
          "the tickets of '" + made.maker() + "' that have not expired would have " + ownCharacters
              + " characters; allowed are three quarters of " + (MOST_CHARACTERS - foreignCharacters)
              + ", which the tickets of others leave of " + MOST_CHARACTERS);
    }
  }

  /** What one maker may have of what the others leave. */
  private static long share(long left) {
    return Math.ceilDiv(left * 3, 4L);
  }

  /** With a ticket revoked. */
  public TicketBook revoked(String id, Instant now) {
    Made made = tickets.get(id);
    return made == null ? this : with(id, new Made(made.maker(), made.untilMillis(), made.caveats(), true), now);
  }

  /** With another root key: all tickets are revoked. */
  public TicketBook withNewKey() {
    return new TicketBook(key + 1, Map.of());
  }
}
