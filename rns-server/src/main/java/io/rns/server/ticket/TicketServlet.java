package io.rns.server.ticket;

import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.Identification;
import io.rns.identity.TicketBook;
import io.rns.identity.TicketBook.Made;
import io.rns.identity.TicketKeys;
import io.rns.permission.AccessReader;
import io.rns.server.http.Callers;
import io.rns.server.http.JsonReplies;
import io.rns.server.http.ResourceServlet;
import io.rns.server.http.Traffic;
import io.rns.ticket.Caveat;
import io.rns.ticket.Ticket;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tickets over plain HTTP: POST makes one for the caller, GET lists the caller's, DELETE of an id revokes one. Who may
 * operate the service sees and revokes all; {@code POST /tickets/key} revokes all by a new root key.
 */
public final class TicketServlet extends ResourceServlet {
  /** How long a ticket may be good. */
  static final Duration LONGEST = Duration.ofDays(7);

  private static final long serialVersionUID = 1L;
  private static final String KEY = "/key";

  private final transient TicketStore store;
  private final transient Optional<TicketKeys> keys;
  private final transient Supplier<@Nullable AccessReader> access;
  private final transient Traffic traffic;
  private final transient InstantSource clock;

  /**
   * A servlet for asynchronous use.
   *
   * @param keys empty if the servers have no secret, so that there are no tickets
   * @param access what callers may do; null while the server starts
   */
  public TicketServlet(
      TicketStore store, Optional<TicketKeys> keys, Supplier<@Nullable AccessReader> access, Traffic traffic,
      InstantSource clock) {
    super("GET", "POST", "DELETE");
    this.store = store;
    this.keys = keys;
    this.access = access;
    this.traffic = traffic;
    this.clock = clock;
  }

  /** A ticket without its token. */
  record TicketJson(String id, String maker, String until, List<String> caveats, boolean revoked) {
    static TicketJson of(String id, Made made) {
      return new TicketJson(id, made.maker(), Instant.ofEpochMilli(made.untilMillis()).toString(), made.caveats(),
          made.revoked());
    }
  }

  private interface Action {
    Object of(Caller caller);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    answer(request, response, this::list);
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) {
    answer(
        request, response,
        caller -> KEY.equals(request.getPathInfo()) ? renewKey(caller) : make(caller, request));
  }

  @Override
  protected void doDelete(HttpServletRequest request, HttpServletResponse response) {
    answer(request, response, caller -> revoke(caller, String.valueOf(request.getPathInfo()).substring(1)));
  }

  private void answer(HttpServletRequest request, HttpServletResponse response, Action action) {
    traffic.postpone("tickets", request, response, paced -> {
      Object document;
      try {
        if (keys.isEmpty()) {
          throw new RnsException(RnsError.UNKNOWN_OPERATION,
              "this server makes no tickets: it has no RNS_GROUP_SECRET");
        }
        Caller caller = Callers.of(request);
        if (caller.name().isEmpty()) {
          throw new RnsException(RnsError.NOT_AUTHENTICATED, "only authenticated callers have tickets");
        }
        refuseTicket(request);
        document = action.of(caller);
      } catch (RnsException e) {
        document = JsonReplies.refuse(paced, e);
      }
      JsonReplies.send(paced, document);
    }, () -> {});
  }

  /** Its holder could prolong it, or end all other tickets of its maker. */
  private static void refuseTicket(HttpServletRequest request) {
    if (Identification.ticket(request.getHeader("Authorization")).isPresent()) {
      throw new RnsException(
          RnsError.NOT_PERMITTED, "a ticket makes, lists and revokes no tickets; narrow it instead");
    }
  }

  private Object list(Caller caller) {
    boolean all = concernsAll(caller);
    TicketBook book =
        store.book().orElseThrow(() -> new RnsException(RnsError.UNAVAILABLE, "the tickets are not known yet"));
    return Map.of(
        "key", book.key(), "tickets",
        book.tickets().entrySet().stream().filter(each -> all || each.getValue().maker().equals(caller.name()))
            .map(each -> TicketJson.of(each.getKey(), each.getValue())).toList());
  }

  private Object make(Caller caller, HttpServletRequest request) {
    Caveat.Below below = new Caveat.Below(RnsPath.parse(parameter(request, "path")));
    Set<Right> rights = rights(parameter(request, "rights"));
    Instant now = clock.instant();
    Instant until = now.plus(time(parameter(request, "seconds"))).truncatedTo(ChronoUnit.MILLIS);
    String id = UUID.randomUUID().toString();
    TicketKeys known = keys.orElseThrow();
    List<Caveat> caveats = List.of(below, new Caveat.Only(rights), new Caveat.Before(until));
    List<String> texts = ticket(id, 1, known, caller, caveats).caveats();
    TicketBook book =
        store.change(TicketChange.add(id, new Made(caller.name(), until.toEpochMilli(), texts, false)));
    Ticket made = ticket(id, book.key(), known, caller, caveats);
    return Map.of("token", made.token(), "id", id, "until", until.toString(), "caveats", made.caveats());
  }

  private static Ticket ticket(String id, long key, TicketKeys keys, Caller maker, List<Caveat> caveats) {
    Ticket ticket = Ticket.make(id, key, keys.key(key), maker);
    for (Caveat caveat : caveats) {
      ticket = ticket.narrowed(caveat);
    }
    // What is too long for a token is refused here rather than when it is used.
    return Ticket.parse(ticket.token());
  }

  private static Set<Right> rights(String text) {
    return ((Caveat.Only) Caveat.parse("rights:" + text)).rights();
  }

  private static Duration time(String seconds) {
    try {
      long given = Long.parseLong(seconds);
      if (given >= 1 && given <= LONGEST.toSeconds()) {
        return Duration.ofSeconds(given);
      }
    } catch (NumberFormatException e) {
      // The same as a number that is out of bounds.
    }
    throw new RnsException(
        RnsError.INVALID_REQUEST,
        "seconds '" + seconds + "' is not a whole number from 1 to " + LONGEST.toSeconds());
  }

  private static String parameter(HttpServletRequest request, String name) {
    String value = request.getParameter(name);
    if (value == null) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the parameter '" + name + "' is missing");
    }
    return value;
  }

  private Object revoke(Caller caller, String id) {
    TicketBook book =
        store.change(TicketChange.revoke(id, concernsAll(caller) ? null : caller.name()));
    return TicketJson.of(id, book.find(id).orElseThrow());
  }

  private Object renewKey(Caller caller) {
    if (!mayOperate(caller)) {
      throw new RnsException(RnsError.NOT_PERMITTED, "a new key needs the right 'admin' at the root");
    }
    return Map.of("key", store.change(TicketChange.renewKey()).key());
  }

  /**
   * Whether the caller may do it to all tickets, rather than to its own.
   *
   * @throws RnsException {@link RnsError#NOT_PERMITTED} if its token is limited to some paths and rights: these have
   *         nothing to do with the other tickets of its owner
   */
  private boolean concernsAll(Caller caller) {
    boolean operates = mayOperate(caller);
    if (!operates && !caller.limits().isEmpty()) {
      throw new RnsException(RnsError.NOT_PERMITTED, "a token with scopes lists and revokes no tickets");
    }
    return operates;
  }

  private boolean mayOperate(Caller caller) {
    AccessReader reader = access.get();
    return reader != null && reader.mayOperate(caller);
  }
}
