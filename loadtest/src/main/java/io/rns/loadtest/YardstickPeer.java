package io.rns.loadtest;

import io.rns.error.RnsException;
import io.rns.loadtest.peer.HttpSession;
import io.rns.loadtest.peer.Peer;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import java.util.Set;

/**
 * What keeps no names, in the same application server as a service: it answers a query with nothing but what was asked.
 * So it tells what it costs there to answer at all.
 */
public final class YardstickPeer implements Peer {
  private final String what;
  private final HttpTarget target;
  private final boolean echoes;

  private YardstickPeer(String what, HttpTarget target, boolean echoes) {
    this.what = what;
    this.target = target;
    this.echoes = echoes;
  }

  /**
   * A servlet that is sent the message of a query and answers with the same.
   *
   * @param serviceUrl where SOAP messages for the service are posted
   * @throws RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if there is none beside the service
   */
  public static YardstickPeer servlet(String serviceUrl) {
    HttpTarget service = beside(serviceUrl);
    return new YardstickPeer("a servlet that answers with the message itself", WebYardsticks.echo(service), true);
  }

  /**
   * A JAX-WS operation that is given a path and returns it.
   *
   * @param serviceUrl where SOAP messages for the service are posted
   * @throws RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if there is none beside the service
   */
  public static YardstickPeer jaxWs(String serviceUrl) {
    HttpTarget service = beside(serviceUrl);
    return new YardstickPeer("a JAX-WS operation that returns the path", WebYardsticks.nullOperation(service), false);
  }

  private static HttpTarget beside(String serviceUrl) {
    HttpTarget service = HttpTarget.of(serviceUrl);
    if (!WebYardsticks.areBeside(service)) {
      throw Peer.missing(WebYardsticks.MISSING);
    }
    return service;
  }

  @Override
  public String durability() {
    return what + ", in the application server of RNS; asked by prepared messages, for queries only: it keeps nothing";
  }

  @Override
  public Set<Kind> operations() {
    return Set.of(Kind.QUERY);
  }

  @Override
  public Session session() {
    return new Asking();
  }

  @Override
  public void close() {}

  /** A connection. */
  private final class Asking extends HttpSession {
    Asking() {
      super(target.address());
    }

    @Override
    public void prepare(Call call) {
      if (!operations().contains(call.kind())) {
        throw Peer.unknown(call);
      }
      byte[] message = echoes ? Messages.query(call.path()) : Messages.nullOperation(call.path());
      prepare(target.post(message), echoes ? Answers.echo(message.length) : Answers::soap);
    }
  }
}
