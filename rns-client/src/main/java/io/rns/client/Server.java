package io.rns.client;

import io.rns.client.call.BoundedNameService;
import java.net.URI;

/** One server that can be asked, and how it has answered. Two are the same only if they are one object. */
final class Server {
  private final URI endpoint;
  private final BoundedNameService service;
  private final ServerHistory conduct = new ServerHistory();

  /**
   * A server.
   *
   * @param endpoint where its messages go
   */
  Server(URI endpoint, BoundedNameService service) {
    this.endpoint = endpoint;
    this.service = service;
  }

  URI endpoint() {
    return endpoint;
  }

  BoundedNameService service() {
    return service;
  }

  ServerHistory conduct() {
    return conduct;
  }
}
