package io.rns.server.pool;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementsRequest;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.server.http.Callers;
import io.rns.server.http.JsonBody;
import io.rns.server.http.JsonReplies;
import io.rns.server.http.RequestUrl;
import io.rns.server.http.ResourceServlet;
import io.rns.server.http.Traffic;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Pools over plain HTTP, as JSON. The path behind that of the servlet is the pool's. Each request has a virtual thread.
 */
public final class PoolServlet extends ResourceServlet {
  /** Length of a request, at most: handle and element have to fit into a message of 65,000 bytes. */
  static final int BODY_BYTES = 131_072;

  private static final long serialVersionUID = 1L;
  private static final List<String> LIST_METHODS = List.of("GET", "HEAD");

  private final transient Supplier<@Nullable PoolService> pools;
  private final transient Traffic traffic;

  /**
   * A servlet of pools, for asynchronous use.
   *
   * @param pools null while the server starts
   * @param traffic bounds slow clients
   */
  public PoolServlet(Supplier<@Nullable PoolService> pools, Traffic traffic) {
    super("GET", "HEAD", "PUT", "DELETE", "POST");
    this.pools = pools;
    this.traffic = traffic;
  }

  /** Without a path there is a list of pools, but no pool. */
  @Override
  protected List<String> methods(HttpServletRequest request) {
    String path = request.getPathInfo();
    return path == null || path.chars().allMatch(character -> character == '/') ? LIST_METHODS : super.methods(request);
  }

  private interface Action {
    Object of(PoolService pools, RnsPath handle, RequestUrl url) throws IOException;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    answer(request, response, PoolServlet::told);
  }

  @Override
  protected void doPut(HttpServletRequest request, HttpServletResponse response) {
    answer(
        request,
        response,
        (service, handle, put) -> {
          PoolJson.Given given =
              PoolJson.read(JsonBody.read(traffic, request, response, BODY_BYTES), id(put, "element"));
          return service.register(handle, given.policy(), given.registration());
        });
  }

  @Override
  protected void doDelete(HttpServletRequest request, HttpServletResponse response) {
    answer(
        request,
        response,
        (service, handle, delete) -> Map.of("removed", service.deregister(handle, id(delete, "element"))));
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) {
    answer(
        request,
        response,
        (service, handle, post) -> {
          service.unreachable(handle, id(post, "unreachable"));
          return Map.of();
        });
  }

  private static Object told(PoolService service, RnsPath handle, RequestUrl url) {
    if (url.has("resolve")) {
      return service.resolve(handle, number(url, "resolve", 3));
    }
    int size = number(url, "size", PoolsRequest.PAGE);
    Optional<String> after = Optional.ofNullable(url.get("after")).filter(text -> !text.isEmpty());
    if (handle.isRoot() || url.has("below")) {
      return service.pools(new PoolsRequest(handle, size, after.map(RnsPath::parse)));
    }
    int afterId = after.isPresent() ? id(url, "after") : 0;
    return service.elements(new ElementsRequest(handle, size, afterId));
  }

  private void answer(HttpServletRequest request, HttpServletResponse response, Action action) {
    traffic.postpone("pools", request, response, paced -> send(request, paced, action), () -> {});
  }

  private void send(HttpServletRequest request, HttpServletResponse response, Action action) throws IOException {
    Object answer;
    try {
      PoolService service = pools.get();
      if (service == null) {
        throw new RnsException(RnsError.UNAVAILABLE, "the server is starting");
      }
      answer = action.of(
          service.as(Callers.of(request)).calledBy(request.getRemoteAddr()), RequestUrl.path(request),
          RequestUrl.of(request));
    } catch (RnsException e) {
      answer = JsonReplies.refuse(response, e);
    }
    JsonReplies.send(response, answer);
  }

  /** The id of an element: unsigned, not 0. */
  private static int id(RequestUrl url, String name) {
    String text = url.get(name);
    try {
      int id = Integer.parseUnsignedInt(text == null ? "" : text);
      if (id != 0) {
        return id;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new RnsException(
        RnsError.INVALID_REQUEST,
        "parameter '" + name + "' is '" + text + "', not the id of an element: 1 to 4294967295");
  }

  private static int number(RequestUrl url, String name, int absent) {
    String text = url.get(name);
    if (text == null || text.isEmpty()) {
      return absent;
    }
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "parameter '" + name + "' is '" + text + "', not a number", e);
    }
  }
}
