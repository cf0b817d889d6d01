package io.rns.server.http;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the servlet API lacks: how much of an answer the container buffers for a client that does not read, and a way to
 * drop its connection. Known of Grizzly (GlassFish, Payara), which buffers four times the size of the socket's buffer,
 * often 10 MB per connection; other containers are left as they are. Safe for use by many threads.
 */
public final class ClientConnection {
  private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);

  /** Grizzly takes the next bytes of an answer when fewer than these wait for the client: when none do. */
  private static final int BUFFERED_BYTES = 1;

  /** How a request leads to its connection: in GlassFish 8, and before. */
  private static final List<List<String>> WAYS =
      List.of(
          List.of("getUnwrappedCoyoteRequest", "getGrizzlyRequest", "getConnection"),
          List.of("getUnwrappedCoyoteRequest", "getGrizzlyRequest", "getContext", "getConnection"),
          List.of("getUnwrappedCoyoteRequest", "getCoyoteRequest", "getContext", "getConnection"));

  private static final ClassValue<ClientConnection> OF =
      new ClassValue<>() {
        @Override
        protected ClientConnection computeValue(Class<?> type) {
          return of(type);
        }
      };

  private final @Nullable MethodHandle connection;
  private final @Nullable MethodHandle bound;
  private final @Nullable MethodHandle drop;

  private ClientConnection(
      @Nullable MethodHandle connection, @Nullable MethodHandle bound, @Nullable MethodHandle drop) {
    this.connection = connection;
    this.bound = bound;
    this.drop = drop;
  }

  private static ClientConnection of(Class<?> request) {
    for (List<String> way : WAYS) {
      try {
        return along(way, request);
      } catch (ReflectiveOperationException e) {
        LOG.debug("no {} at {}: {}", way, request, e.toString());
      }
    }
    LOG.info("the container's response buffers are unknown; their configured limits apply");
    return new ClientConnection(null, null, null);
  }

  private static ClientConnection along(List<String> way, Class<?> request) throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    Class<?> type = request;
    MethodHandle connection = MethodHandles.identity(request);
    for (String step : way) {
      MethodHandle next = lookup.unreflect(type.getMethod(step));
      connection = MethodHandles.filterReturnValue(connection, next);
      type = next.type().returnType();
    }
    MethodHandle limit = lookup.unreflect(type.getMethod("setMaxAsyncWriteQueueSize", int.class));
    MethodHandle bounded =
        MethodHandles.filterReturnValue(connection, MethodHandles.insertArguments(limit, 1, BUFFERED_BYTES));
    MethodHandle dropped = lookup.unreflect(type.getMethod("terminateSilently"));
    MethodType form = MethodType.methodType(Object.class, Object.class);
    return new ClientConnection(connection.asType(form), bounded.asType(form), dropped.asType(form));
  }

  /** Bounds what is buffered for the client of a request: an answer is ready for more only when nothing waits. */
  public static void bound(ServletRequest request) {
    ServletRequest own = unwrapped(request);
    MethodHandle bound = OF.get(own.getClass()).bound;
    if (bound != null) {
      Object unused = call(bound, own);
    }
  }

  /** Ends the connection at once, with all that waits in it. */
  static void drop(ServletRequest request) {
    later(request).run();
  }

  /** What ends the connection at once, also when the request is no longer there. */
  static Runnable later(ServletRequest request) {
    ServletRequest own = unwrapped(request);
    ClientConnection known = OF.get(own.getClass());
    Object connection = known.connection == null ? null : call(known.connection, own);
    return connection == null ? () -> {} : () -> known.end(connection);
  }

  private void end(Object connection) {
    if (drop != null) {
      Object unused = call(drop, connection);
    }
  }

  private static ServletRequest unwrapped(ServletRequest request) {
    ServletRequest own = request;
    while (own instanceof ServletRequestWrapper wrapper) {
      own = wrapper.getRequest();
    }
    return own;
  }

  private static @Nullable Object call(MethodHandle method, Object of) {
    try {
      return method.invokeExact(of);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
