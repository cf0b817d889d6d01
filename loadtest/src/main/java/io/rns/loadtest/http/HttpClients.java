package io.rns.loadtest.http;

import io.rns.loadtest.measure.LoadClient;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Makes the clients of an HTTP load. */
public final class HttpClients {
  private HttpClients() {}

  /**
   * Clients with one connection each, made with its first request.
   *
   * @param server where requests go
   * @param count how many clients
   * @param sources gives the client of a number (from 0) its requests
   * @param check looks at every answer
   */
  public static List<LoadClient> of(
      InetSocketAddress server, int count, IntFunction<RequestSource> sources, AnswerCheck check) {
    List<LoadClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(new HttpConnection(server, sources.apply(i), check));
    }
    return clients;
  }
}
