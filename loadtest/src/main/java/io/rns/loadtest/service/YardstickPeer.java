package io.rns.loadtest.service;

import io.rns.loadtest.http.HttpAnswer;
import io.rns.loadtest.http.RawConnection;
import io.rns.loadtest.peer.PeerService;
import io.rns.loadtest.work.Call;
import io.rns.loadtest.work.Kind;
import io.rns.loadtest.work.Session;
import java.util.List;
import java.util.Set;

/**
 * A program in the same application server as a service that answers a query with the query itself: what it costs there
 * to answer at all. {@code ./rns up --yardstick} deploys both.
 */
public record YardstickPeer(String what, HttpTarget target, boolean echoes) implements PeerService {
  private static final String MISSING = "not deployed in the same application server (./rns up --yardstick does that)";

  /** A servlet that echoes the message of a query. */
  public static YardstickPeer servlet(HttpTarget service) {
    return checked("a servlet that echoes the message", service.at("/yardstick/echo"), true);
  }

  /** A JAX-WS operation that takes a path and returns it. */
  public static YardstickPeer jaxWs(HttpTarget service) {
    return checked("a JAX-WS operation that returns the path", service.at("/yardstick/null"), false);
  }

  private static YardstickPeer checked(String what, HttpTarget target, boolean echoes) {
    YardstickPeer peer = new YardstickPeer(what, target, echoes);
    byte[] message = peer.message("x");
    if (Answers.failures(target, target.post(message), peer.check(message)).total() > 0) {
      throw PeerService.missing(MISSING);
    }
    return peer;
  }

  private byte[] message(String path) {
    return echoes ? Messages.query(List.of(path)) : Messages.nullOperation(path);
  }

  private HttpAnswer.Check check(byte[] message) {
    return echoes ? answer -> Answers.echo(answer, message.length) : Answers::soap;
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
    return new YardstickSession();
  }

  private final class YardstickSession extends RawConnection implements Session {
    YardstickSession() {
      super(target.address());
    }

    @Override
    public void prepare(Call call) {
      if (!operations().contains(call.kind())) {
        throw PeerService.unknown(call);
      }
      byte[] message = message(call.path());
      prepare(target.post(message), check(message));
    }
  }
}
