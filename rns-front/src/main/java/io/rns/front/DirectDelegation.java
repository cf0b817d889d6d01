package io.rns.front;

import io.rns.front.message.ClientHead;
import io.rns.identity.DirectTickets;
import io.rns.identity.RequestPassing;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which clients fetch a large response from a server directly, and makes the addresses for that. Thread-safe.
 */
final class DirectDelegation {
  /** The longest address, in characters: servers limit heads of requests to 8 KiB. */
  static final int MOST_CHARACTERS = 6_000;

  /** Parameters of requests whose responses may be large. */
  private static final Set<String> LARGE = Set.of("list", "subtree");

  private final DirectTickets tickets;
  private final String names;

  /**
   * Delegates below a context.
   *
   * @param context path of the service
   */
  DirectDelegation(DirectTickets tickets, String context) {
    this.tickets = tickets;
    this.names = context + "/names";
  }

  /**
   * The address at which a client gets the response to its request.
   *
   * @param caller what servers are told of the client by its certificate; null if it has presented none
   * @param secured whether the client is connected by TLS
   * @return empty if the request has to be passed on: the client does not accept anything else, the response is not
   *         large, or the client cannot reach the server, or not as safely
   */
  Optional<String> address(
      ClientHead head, @Nullable String caller, SocketAddress client, boolean secured, FrontedServer server) {
    int query = head.target().indexOf('?');
    if (!head.acceptsDirect() || query < 0 || !isLarge(head.target(), query) || !isReachable(client, server)
        || (secured && !server.isSecured()) || (caller != null && RequestPassing.isRefused(caller))) {
      return Optional.empty();
    }
    String line = RequestPassing.line(head.method(), head.target());
    String address =
        server.url().getScheme() + "://" + server.url().getRawAuthority() + head.target().substring(0, query) + "?"
            + tickets.query(head.target().substring(query + 1), caller, server.url(), line, head.hasCredential());
    return address.length() > MOST_CHARACTERS ? Optional.empty() : Optional.of(address);
  }

  private boolean isLarge(String target, int query) {
    boolean below = target.startsWith(names) && (query == names.length() || target.charAt(names.length()) == '/');
    if (!below) {
      return false;
    }
    for (String parameter : target.substring(query + 1).split("&", -1)) {
      int equals = parameter.indexOf('=');
      if (LARGE.contains(equals < 0 ? parameter : parameter.substring(0, equals))) {
        return true;
      }
    }
    return false;
  }

  /** Not so for a server that only this machine reaches, and a client on another one. */
  private static boolean isReachable(SocketAddress client, FrontedServer server) {
    InetAddress at = server.address().getAddress();
    boolean near = client instanceof InetSocketAddress from && from.getAddress().isLoopbackAddress();
    return at != null && (near || !at.isLoopbackAddress());
  }

  /** The response that sends a client to an address. */
  static byte[] redirect(String address, boolean close) {
    return ("HTTP/1.1 307 Temporary Redirect\r\nLocation: " + address + "\r\nCache-Control: no-store\r\n"
        + (close ? "Connection: close\r\n" : "") + "Content-Length: 0\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
  }
}
