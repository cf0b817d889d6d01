package io.rns.replication;

import io.rns.api.NameService;
import io.rns.client.RnsClient;
import io.rns.client.http.MessageAuthentication;
import io.rns.client.http.TlsTrust;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/** Clients of the group's other servers, by address. Thread-safe. */
public final class Forwarding implements AutoCloseable {
  private static final int CONNECTIONS = 256;

  private final MessageAuthentication authentication;
  private final Duration timeout;
  private final TlsTrust trust;
  private final LongConsumer answerBytes;
  private final Map<String, NameService> clients = new ConcurrentHashMap<>();

  /**
   * No clients yet; they are created on demand.
   *
   * @param authentication passes callers on
   * @param timeout limit of one forwarded request
   * @param trust the certificates accepted from servers
   * @param answerBytes receives the number of bytes as answers are read, in the requesting thread; may abort by an
   *        exception
   */
  public Forwarding(
      MessageAuthentication authentication, Duration timeout, TlsTrust trust, LongConsumer answerBytes) {
    this.authentication = authentication;
    this.timeout = timeout;
    this.trust = trust;
    this.answerBytes = answerBytes;
  }

  /** The service of the primary; each call is sent once, without retries. */
  NameService to(String primary) {
    return clients.computeIfAbsent(primary, this::client);
  }

  /** Breaks off all calls to other servers than the primary, which may be paused or cut off. */
  void only(String primary) {
    for (String server : List.copyOf(clients.keySet())) {
      if (!server.equals(primary)) {
        NameService former = clients.remove(server);
        if (former != null) {
          former.close();
        }
      }
    }
  }

  private NameService client(String server) {
    return RnsClient.builder()
        .server(URI.create(server))
        .authentication(authentication)
        .connectTimeout(Duration.ofSeconds(1))
        .requestTimeout(timeout)
        .deadline(timeout)
        .attempts(1)
        .requestIds(false)
        .connections(CONNECTIONS)
        .closeWait(Duration.ZERO)
        .answerBytes(answerBytes)
        .trust(trust)
        .build();
  }

  @Override
  public void close() {
    clients.values().forEach(NameService::close);
  }
}
