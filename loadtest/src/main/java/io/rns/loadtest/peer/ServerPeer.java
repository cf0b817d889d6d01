package io.rns.loadtest.peer;

import io.rns.loadtest.launcher.ServerProcess;
import io.rns.loadtest.work.Session;
import java.util.function.Supplier;

/** A peer that is a server in a process of its own. */
record ServerPeer(ServerProcess process, String durability, Supplier<Session> sessions) implements PeerService {
  interface FirstRequest {
    void send() throws InterruptedException;
  }

  /** Sends a request before any session is made, and ends the server if it fails. */
  PeerService after(FirstRequest request) throws InterruptedException {
    try {
      request.send();
      return this;
    } catch (RuntimeException | InterruptedException e) {
      process.close();
      throw e;
    }
  }

  @Override
  public Session session() {
    return sessions.get();
  }

  @Override
  public void close() {
    process.close();
  }
}
