package io.rns.client.http;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The addresses that references have led to, each with its connections; those not used for longest are closed where
 * there are too many. Safe for use by many threads.
 */
public final class HttpEndpoints implements AutoCloseable {
  /** Addresses whose connections are kept: each may have as many as the client's settings say. */
  static final int MOST = 64;

  private final HttpEndpoint first;
  private final Map<URI, Slot> slots = new LinkedHashMap<>(16, 0.75f, true);

  /** All addresses with the settings of {@code first}, which is one of them. */
  public HttpEndpoints(HttpEndpoint first) {
    this.first = first;
  }

  private static final class Slot {
    private final HttpEndpoint endpoint;
    private int users;

    private Slot(HttpEndpoint endpoint) {
      this.endpoint = endpoint;
    }
  }

  /**
   * Uses an address.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is not one of http or https
   */
  public <T> T use(String address, Function<HttpEndpoint, T> exchange) {
    URI uri = uri(address);
    if (uri.equals(first.uri())) {
      return exchange.apply(first);
    }
    Slot slot = take(uri);
    try {
      return exchange.apply(slot.endpoint);
    } finally {
      giveBack(slot);
    }
  }

  /**
   * The address that messages go to: without a fragment.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if it is not one of http or https
   */
  public static URI uri(String address) {
    try {
      URI uri = new URI(address);
      String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
      if ((scheme.equals("http") || scheme.equals("https")) && uri.getHost() != null) {
        String rest = address.substring(scheme.length());
        int fragment = rest.indexOf('#');
        return new URI(scheme + (fragment < 0 ? rest : rest.substring(0, fragment)));
      }
    } catch (URISyntaxException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the address '" + address + "' is no URL: " + e.getReason(), e);
    }
    throw new RnsException(
        RnsError.INVALID_REQUEST, "the address '" + address + "' is not followed: only http and https are");
  }

  private synchronized Slot take(URI uri) {
    if (!first.isOpen()) {
      throw new RnsException(RnsError.UNAVAILABLE, "the client of " + first.uri() + " is closed");
    }
    Slot slot = slots.computeIfAbsent(uri, missing -> new Slot(first.foreign(missing)));
    slot.users++;
    return slot;
  }

  private void giveBack(Slot slot) {
    for (HttpEndpoint superfluous : release(slot)) {
      superfluous.close();
    }
  }

  private synchronized List<HttpEndpoint> release(Slot slot) {
    slot.users--;
    List<HttpEndpoint> superfluous = new ArrayList<>(0);
    Iterator<Slot> oldest = slots.values().iterator();
    while (slots.size() > MOST && oldest.hasNext()) {
      Slot candidate = oldest.next();
      if (candidate.users == 0) {
        oldest.remove();
        superfluous.add(candidate.endpoint);
      }
    }
    return superfluous;
  }

  public boolean isOpen() {
    return first.isOpen();
  }

  @Override
  public void close() {
    // First this one, which says that no more are to be made.
    first.close();
    List<Slot> all;
    synchronized (this) {
      all = new ArrayList<>(slots.values());
    }
    all.forEach(slot -> slot.endpoint.close());
  }
}
