package io.rns.replication;

import io.rns.api.NameService;
import io.rns.client.RnsClient;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/** Clients of the other servers of a group, by their addresses. Thread-safe. */
public final class Forwarding implements AutoCloseable {
  private static final int CONNECTIONS = 256;

  private final Duration timeout;
  private final LongConsumer answerBytes;
  private final Map<String, NameService> clients = new ConcurrentHashMap<>();

  /**
   * No client yet.
   *
   * @param timeout the most time of one forwarded request
   * @param answerBytes told of the bytes of answers as they are read, by the thread of the request; breaks off by an
   *        exception
   */
  public Forwarding(Duration timeout, LongConsumer answerBytes) {
    this.timeout = timeout;
    this.answerBytes = answerBytes;
  }

  /** The service of a server, which is asked once, as the call says. */
  NameService to(String server) {
    return clients.computeIfAbsent(server, this::client);
  }

  private NameService client(String server) {
    return RnsClient.builder()
        .server(URI.create(server))
        .connectTimeout(Duration.ofSeconds(1))
        .requestTimeout(timeout)
        .deadline(timeout)
        .attempts(1)
        .requestIds(false)
        .connections(CONNECTIONS)
        .closeWait(Duration.ZERO)
        .answerBytes(answerBytes)
        .build();
  }

  @Override
  public void close() {
    clients.values().forEach(NameService::close);
  }
}
