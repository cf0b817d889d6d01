package io.rns.server.watch;

import io.rns.access.AccessLine;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.access.AccessLog;
import io.rns.server.http.Callers;
import io.rns.server.http.JsonReplies;
import io.rns.server.http.RequestUrl;
import io.rns.server.http.ResourceServlet;
import io.rns.server.namespace.ChangeFeed;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Accepts watchers. Each has a virtual thread, a connection and a position, and nothing else. */
public final class WatchServlet extends ResourceServlet {
  private static final long serialVersionUID = 1L;

  private final transient Supplier<@Nullable ChangeFeed> feed;
  private final transient Semaphore places;
  private final int most;
  private final transient @Nullable AccessLog access;

  /**
   * A servlet for asynchronous use.
   *
   * @param feed the changes; null as long as the server does not serve
   * @param most how many may watch at one time
   * @param access watches are taken down there as they begin; null for nowhere
   */
  public WatchServlet(Supplier<@Nullable ChangeFeed> feed, int most, @Nullable AccessLog access) {
    super("GET");
    this.access = access;
    this.feed = feed;
    this.most = most;
    this.places = new Semaphore(most);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    ChangeFeed changes = feed.get();
    if (changes == null) {
      refuse(response, new RnsException(RnsError.UNAVAILABLE, "the server is starting"));
      return;
    }
    RnsPath path;
    try {
      path = RnsPath.parse(parameter(request, "path", "/"));
    } catch (RnsException e) {
      refuse(response, e);
      return;
    }
    Position from;
    try {
      String known = parameter(request, "from", "");
      // A client that reconnects by the rules of server-sent events tells the last event it got.
      String last = request.getHeader("Last-Event-ID");
      String position = last == null || last.isEmpty() ? known : last;
      from = position.isEmpty() ? changes.last() : Position.parse(position);
      changes.check(from);
    } catch (RnsException e) {
      takeDown(request, path, e.error().name());
      refuse(response, e);
      return;
    }
    if (!places.tryAcquire()) {
      takeDown(request, path, RnsError.BUSY.name());
      refuse(response, new RnsException(RnsError.BUSY, most + " are watching already; try again later"));
      return;
    }
    takeDown(request, path, AccessLine.OK);
    start(request, new EventStream(changes, path, from, response));
  }

  private void takeDown(HttpServletRequest request, RnsPath path, String outcome) {
    if (access != null) {
      access.watched(path, Callers.connection(request), Callers.of(request), outcome);
    }
  }

  /** How many watch now. */
  public int watchers() {
    return most - places.availablePermits();
  }

  private static String parameter(HttpServletRequest request, String name, String absent) {
    String value = RequestUrl.of(request).get(name);
    if (value == null) {
      return absent;
    }
    Limits.check("parameter '" + name + "'", value.length(), Limits.PATH_BYTES, "characters");
    return value;
  }

  private void start(HttpServletRequest request, EventStream stream) {
    AsyncContext context;
    try {
      context = request.startAsync();
    } catch (IllegalStateException e) {
      places.release();
      throw e;
    }
    context.setTimeout(0);
    Thread.ofVirtual()
        .name("watch " + request.getRemoteAddr())
        .start(
            () -> {
              try {
                stream.run();
              } finally {
                places.release();
                context.complete();
              }
            });
  }

  private static void refuse(HttpServletResponse response, RnsException error) throws IOException {
    boolean gone = error.error() == RnsError.INVALID_CURSOR;
    int status = gone ? HttpServletResponse.SC_GONE : JsonReplies.status(error.error());
    JsonReplies.send(response, JsonReplies.refuse(response, error, status));
  }
}
