package io.rns.server.watch;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.operator.Signature;
import io.rns.server.group.Membership;
import io.rns.server.http.JsonReplies;
import io.rns.server.http.RequestUrl;
import io.rns.server.http.ResourceServlet;
import io.rns.server.http.ServerJson;
import io.rns.server.http.SharedAnswers;
import io.rns.server.http.Traffic;
import io.rns.server.namespace.ChangeFeed;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.operator.OperatorGate;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the group for fronts that keep answers, whatever access rules say: signed requests and responses. A
 * front asks again and again; each request waits for a change, a while.
 */
public final class FrontChangesServlet extends ResourceServlet {
  private static final long serialVersionUID = 1L;

  /** How long a request may wait, in milliseconds. */
  private static final int MOST_WAIT = 1_000;

  private final transient Supplier<@Nullable Membership> membership;
  private final transient SharedAnswers shared;
  private final transient OperatorGate gate;
  private final transient Traffic traffic;

  /**
   * A servlet for asynchronous use.
   *
   * @param membership null while the server starts
   * @param traffic bounds slow clients
   */
  public FrontChangesServlet(
      Supplier<@Nullable Membership> membership, SharedAnswers shared, OperatorGate gate, Traffic traffic) {
    super("GET");
    this.membership = membership;
    this.shared = shared;
    this.gate = gate;
    this.traffic = traffic;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    traffic.postpone("front-changes", request, response, paced -> answer(request, paced), () -> {});
  }

  private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setContentType("application/json");
    response.setHeader("Cache-Control", "no-store");
    Signature signature = null;
    Object document;
    try {
      signature = gate.signature(request);
      gate.take(signature, request);
      document = changes(RequestUrl.of(request));
    } catch (RnsException e) {
      boolean gone = e.error() == RnsError.INVALID_CURSOR;
      int status = gone ? HttpServletResponse.SC_GONE : JsonReplies.status(e.error());
      document = JsonReplies.refuse(response, e, status);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      document = JsonReplies.refuse(response, new RnsException(RnsError.UNAVAILABLE, "the server is stopping", e));
    }
    gate.send(response, signature, ServerJson.MAPPER.writeValueAsBytes(document));
  }

  private FrontChanges changes(RequestUrl url) throws InterruptedException {
    Membership group = membership.get();
    LocalNameService copy = group == null ? null : group.copy();
    ChangeFeed feed = group == null ? null : group.changes();
    if (group == null || copy == null || feed == null) {
      throw new RnsException(RnsError.UNAVAILABLE, "this server has no copy to read now");
    }
    boolean allowed = shared.areAllowed();
    String after = url.get("after");
    if (after == null) {
      return FrontChanges.begin(feed, allowed);
    }
    int wait = url.number("wait", 0);
    if (wait < 0 || wait > MOST_WAIT) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "parameter 'wait' is from 0 to " + MOST_WAIT + " ms, not " + wait);
    }
    return FrontChanges.after(Position.parse(after), Duration.ofMillis(wait), group, feed, copy, allowed);
  }
}
