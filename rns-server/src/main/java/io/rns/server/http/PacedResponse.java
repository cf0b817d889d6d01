package io.rns.server.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A response that is sent as fast as its client reads, by a thread that may wait: a virtual one. The request must be in
 * asynchronous mode. To be closed before that ends. For one thread.
 */
public final class PacedResponse extends HttpServletResponseWrapper implements AutoCloseable {
  private final ServletRequest request;
  private final Traffic traffic;
  private @Nullable PacedStream stream;

  /** A response to {@code request}. */
  public PacedResponse(ServletRequest request, HttpServletResponse response, Traffic traffic) {
    super(response);
    this.request = request;
    this.traffic = traffic;
    ClientConnection.bound(request);
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    return paced();
  }

  /** The bytes of the answer. */
  public PacedStream paced() throws IOException {
    PacedStream known = stream;
    if (known == null) {
      known = new PacedStream(request, super.getOutputStream(), traffic);
      stream = known;
    }
    return known;
  }

  /** Waits until what was written before has left the container. */
  public void awaitSent() throws IOException {
    paced().awaitSent();
  }

  /** Waits until a large answer has left the container. */
  @Override
  public void close() throws IOException {
    if (stream != null) {
      stream.end();
    }
  }
}
