package io.rns.loadtest.service;

import io.rns.loadtest.measure.Failures;
import io.rns.loadtest.peer.HttpSession;
import io.rns.loadtest.peer.Peer;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import java.util.Set;

/**
 * A program in the same application server as a service that answers a query with the query itself: what it costs there
 * to answer at all. {@code ./rns up --yardstick} deploys both.
 *
 * @param what it is, for a report
 * @param target where its messages are posted
 * @param echoes whether it answers with the whole message: a servlet, not a JAX-WS operation
 */
public record YardstickPeer(String what, HttpTarget target, boolean echoes) implements Peer {
  private static final String MISSING = "not deployed in the same application server (./rns up --yardstick does that)";

  /**
   * A servlet that echoes the message of a query.
   *
   * @param serviceUrl where SOAP messages for the service are posted
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if there is none beside the service
   */
  public static YardstickPeer servlet(String serviceUrl) {
    return checked(new YardstickPeer("a servlet that echoes the message",
        HttpTarget.of(serviceUrl).at("/yardstick/echo"), true));
  }

  /**
   * A JAX-WS operation that takes a path and returns it.
   *
   * @param serviceUrl where SOAP messages for the service are posted
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if there is none beside the service
   */
  public static YardstickPeer jaxWs(String serviceUrl) {
    return checked(new YardstickPeer("a JAX-WS operation that returns the path",
        HttpTarget.of(serviceUrl).at("/yardstick/null"), false));
  }

  private static YardstickPeer checked(YardstickPeer peer) {
    byte[] message = peer.message("x");
    Failures failures = Probe.ask(peer.target, peer.target.post(message),
        peer.echoes ? Answers.echo(message.length) : Answers::soap);
    if (failures.total() > 0) {
      throw Peer.missing(MISSING);
    }
    return peer;
  }

  private byte[] message(String path) {
    return echoes ? Messages.query(path) : Messages.nullOperation(path);
  }

  @Override
  public String durability() {
    return what + ", in the application server of RNS; called by prepared messages, for queries only: it keeps nothing";
  }

  @Override
  public Set<Kind> operations() {
    return Set.of(Kind.QUERY);
  }

  @Override
  public Session session() {
    return new HttpSession(target.address()) {
      @Override
      public void prepare(Call call) {
        if (!operations().contains(call.kind())) {
          throw Peer.unknown(call);
        }
        byte[] message = message(call.path());
        prepare(target.post(message), echoes ? Answers.echo(message.length) : Answers::soap);
      }
    };
  }

  @Override
  public void close() {}
}
