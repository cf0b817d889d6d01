package io.rns.loadtest;

import io.rns.api.Consistency;
import io.rns.api.NameService;
import io.rns.loadtest.peer.Peer;
import io.rns.loadtest.work.Session;

/** RNS itself, a service that runs, among its peers. */
final class RnsPeer implements Peer {
  private final HttpTarget service;
  private final NameService client;
  private final LoadTransport via;

  /**
   * The service.
   *
   * @param client of the same service, which all sessions share if they go by way of it; whoever made it closes it
   */
  RnsPeer(HttpTarget service, NameService client, LoadTransport via) {
    this.service = service;
    this.client = client;
    this.via = via;
  }

  @Override
  public String durability() {
    return "the service at " + service.url()
        + (via == LoadTransport.RAW ? ", asked by prepared messages" : ", asked by the Java client");
  }

  @Override
  public Session session() {
    RawSession raw = new RawSession(service, new CallMessages(Consistency.SESSION, References.SHORT));
    return via == LoadTransport.RAW ? raw : new ClientSession(client, References.SHORT, raw);
  }

  @Override
  public void close() {}
}
