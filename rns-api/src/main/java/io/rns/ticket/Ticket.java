package io.rns.ticket;

import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A ticket: its holder is a caller with the name and the groups of its maker, limited by its caveats. Every holder can
 * add caveats, none can remove any.
 */
public final class Ticket {
  private static final String LOCATION = "rns";
  private static final String FORM = "rns1";
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final Set<Right> ALL = Set.copyOf(EnumSet.allOf(Right.class));

  private final Macaroon macaroon;
  private final String id;
  private final long key;
  private final String name;
  private final Set<String> groups;

  private Ticket(Macaroon macaroon, String id, long key, String name, Set<String> groups) {
    this.macaroon = macaroon;
    this.id = id;
    this.key = key;
    this.name = name;
    this.groups = Set.copyOf(groups);
  }

  /**
   * Makes a ticket.
   *
   * @param id letters, digits, {@code -} and {@code _}; identifies it and all that is narrowed from it
   * @param key the number of the root key
   * @param maker whose limits become caveats
   * @throws RnsException {@link RnsError#NOT_AUTHENTICATED} if the maker is anonymous
   */
  public static Ticket make(String id, long key, byte[] rootKey, Caller maker) {
    if (maker.name().isEmpty()) {
      throw new RnsException(RnsError.NOT_AUTHENTICATED, "only authenticated callers make tickets");
    }
    List<String> parts = new ArrayList<>(List.of(FORM, id, Long.toString(key), encoded(maker.name())));
    new TreeSet<>(maker.groups()).forEach(group -> parts.add(encoded(group)));
    Macaroon macaroon = Macaroon.of(LOCATION, String.join(" ", parts), rootKey);
    for (Set<Scope> limit : maker.limits()) {
      macaroon = macaroon.with(new Caveat.Within(limit).text());
    }
    return of(macaroon);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Whether a token looks like a ticket, rather than one of another kind. */
  public static boolean isTicket(String token) {
    return token.startsWith("Ag") && token.indexOf('.') < 0;
  }

  /**
   * Reads a token; says nothing about whether it is genuine.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is malformed
   */
  public static Ticket parse(String token) {
    return of(Macaroon.parse(token));
  }

  private static Ticket of(Macaroon macaroon) {
    String[] parts = macaroon.identifier().split(" ", -1);
    try {
      if (parts.length < 4 || !parts[0].equals(FORM) || !ID.matcher(parts[1]).matches()) {
        throw new IllegalArgumentException(parts[0]);
      }
      Set<String> groups = new TreeSet<>();
      for (int i = 4; i < parts.length; i++) {
        groups.add(URLDecoder.decode(parts[i], StandardCharsets.UTF_8));
      }
      String name = URLDecoder.decode(parts[3], StandardCharsets.UTF_8);
      return new Ticket(macaroon, parts[1], Long.parseLong(parts[2]), name, groups);
    } catch (IllegalArgumentException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the ticket was not made by an RNS server", e);
    }
  }

  /** The token. */
  public String token() {
    return macaroon.text();
  }

  /** Identifies it and all that is narrowed from it. */
  public String id() {
    return id;
  }

  /** The number of its root key. */
  public long key() {
    return key;
  }

  /** The name of its maker. */
  public String maker() {
    return name;
  }

  /** What narrows it, in the words of the token. */
  public List<String> caveats() {
    return macaroon.caveats();
  }

  /** A ticket that is good for less. */
  public Ticket narrowed(Caveat caveat) {
    return new Ticket(macaroon.with(caveat.text()), id, key, name, groups);
  }

  /** Whether it was made with a root key. */
  public boolean isOf(byte[] rootKey) {
    return macaroon.isOf(rootKey);
  }

  /**
   * Until when it is good; {@link Instant#MAX} if it does not say.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it has a caveat that is not understood
   */
  public Instant until() {
    return macaroon.caveats().stream().map(Caveat::parse)
        .filter(Caveat.Before.class::isInstance).map(caveat -> ((Caveat.Before) caveat).time())
        .min(Instant::compareTo).orElse(Instant.MAX);
  }

  /**
   * Who its holder is.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it has a caveat that is not understood
   */
  public Caller caller() {
    List<Set<Scope>> limits = new ArrayList<>();
    for (String text : macaroon.caveats()) {
      Caveat caveat = Caveat.parse(text);
      if (caveat instanceof Caveat.Below below) {
        limits.add(Set.of(new Scope(below.path(), ALL)));
      } else if (caveat instanceof Caveat.Only only) {
        limits.add(Set.of(new Scope(RnsPath.ROOT, only.rights())));
      } else if (caveat instanceof Caveat.Within within) {
        limits.add(within.scopes());
      }
    }
    return new Caller(name, groups, limits);
  }

  /** Says which ticket it is, without the token. */
  @Override
  public String toString() {
    return id + " of " + name + caveats().stream().collect(Collectors.joining(", ", " [", "]"));
  }
}
