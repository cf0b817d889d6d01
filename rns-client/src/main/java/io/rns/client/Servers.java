package io.rns.client;

import io.rns.client.call.BoundedNameService;
import io.rns.client.http.SecureAddress;
import io.rns.client.http.SoapAddress;
import io.rns.error.RnsException;
import io.rns.referral.Referral;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The servers of a client: its own, in the order in which they are asked, and those that referrals have led to.
 *
 * <p>The first is the one in use and stays it until it fails; then it goes to the end, so the one whose last failure is
 * longest ago is next. Safe for use by many threads; to look takes one volatile read.
 */
final class Servers implements AutoCloseable {
  /**
   * Servers that are not the client's own, at most: as many as ten referrals can list. Only those that are asked have
   * connections.
   */
  static final int MOST_REFERRED = 10 * Referral.MOST_SERVERS;

  private final Function<URI, BoundedNameService> connector;
  private final URI first;
  private final int own;
  private final Map<URI, Server> known = new LinkedHashMap<>();
  private volatile List<Server> order;
  private volatile boolean open = true;

  /**
   * The servers of a client.
   *
   * @param endpoints where the messages of its own servers go, one or more; the first is asked first
   * @param connector makes what asks a server
   */
  Servers(List<URI> endpoints, Function<URI, BoundedNameService> connector) {
    this.connector = connector;
    this.first = endpoints.get(0);
    for (URI endpoint : endpoints) {
      known.computeIfAbsent(endpoint, uri -> new Server(uri, connector.apply(uri)));
    }
    this.own = known.size();
    this.order = List.copyOf(known.values());
  }

  /** The number of the client's own servers. */
  int size() {
    return own;
  }

  /** The client's own servers, in the order in which they were named. */
  synchronized List<Server> own() {
    return known.values().stream().limit(own).toList();
  }

  /** The server in use. */
  Server inUse() {
    return order.get(0);
  }

  /** The server in use for 0, one of those behind it for other numbers. */
  Server behind(int places) {
    List<Server> now = order;
    return now.get(places % now.size());
  }

  /** Puts a server behind the others, if it is one of the client's own. */
  void failed(Server server) {
    if (own > 1) {
      synchronized (this) {
        List<Server> changed = new ArrayList<>(order);
        if (changed.remove(server)) {
          changed.add(server);
          order = List.copyOf(changed);
        }
      }
    }
  }

  /**
   * The server at the address of a referral; empty if it is no address, one of plain HTTP where the client's own
   * servers have HTTPS, or the last of too many.
   */
  Optional<Server> at(String address) {
    URI endpoint;
    try {
      endpoint = SoapAddress.of(URI.create(address));
    } catch (RnsException | IllegalArgumentException e) {
      return Optional.empty();
    }
    if (!SecureAddress.isFollowed(first, endpoint)) {
      return Optional.empty();
    }
    synchronized (this) {
      Server server = known.get(endpoint);
      if (server == null && open && known.size() < own + MOST_REFERRED) {
        server = new Server(endpoint, connector.apply(endpoint));
        known.put(endpoint, server);
      }
      return Optional.ofNullable(server);
    }
  }

  /**
   * Forgets servers that are not the client's own, are not needed, and are not being asked. A call that is about to go
   * to one finds it closed, and so goes to another.
   */
  void forgetAllBut(Set<Server> needed) {
    List<Server> gone;
    synchronized (this) {
      gone =
          known.values().stream().skip(own).filter(server -> !needed.contains(server) && server.conduct().isIdle())
              .toList();
      gone.forEach(server -> known.remove(server.endpoint()));
    }
    gone.forEach(server -> server.service().close());
  }

  boolean isOpen() {
    return open && inUse().service().isOpen();
  }

  @Override
  public void close() {
    open = false;
    List<Server> all;
    synchronized (this) {
      all = new ArrayList<>(known.values());
    }
    // The thread that keeps the deadlines of all belongs to the first.
    for (int i = all.size() - 1; i >= 0; i--) {
      all.get(i).service().close();
    }
  }
}
