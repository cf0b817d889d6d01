package io.rns.loadtest.service;

import io.rns.api.Consistency;
import io.rns.api.NameService;
import io.rns.loadtest.peer.Peer;
import io.rns.loadtest.work.Session;

/**
 * A running service of RNS, called by prepared messages or through the Java client.
 *
 * @param client of the same service, shared by all sessions; its maker closes it
 * @param via how sessions call the service
 * @param messages how they are worded, with the references of the junctions that are added
 */
public record RnsPeer(HttpTarget service, NameService client, LoadTransport via, Messages messages) implements Peer {
  /** With sessions' consistency and short references. */
  public RnsPeer(HttpTarget service, NameService client, LoadTransport via) {
    this(service, client, via, new Messages(Consistency.SESSION, References.SHORT));
  }

  @Override
  public String durability() {
    return "the service at " + service.url()
        + (via == LoadTransport.RAW ? ", called by prepared messages" : ", called through the Java client");
  }

  @Override
  public Session session() {
    Session raw = new RawSession(service, messages);
    return via == LoadTransport.RAW ? raw : new ClientSession(client, messages.references(), raw);
  }

  @Override
  public void close() {}
}
