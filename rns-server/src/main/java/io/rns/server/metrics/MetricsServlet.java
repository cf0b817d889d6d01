package io.rns.server.metrics;

import io.rns.server.http.ResourceServlet;
import io.rns.server.metrics.ServerMetrics.Snapshot;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Supplier;

/** Serves the metrics of a server. */
public final class MetricsServlet extends ResourceServlet {
  private static final long serialVersionUID = 1L;

  private final transient ServerMetrics metrics;
  private final transient Supplier<Snapshot> now;

  /**
   * A servlet for these metrics, which it does not close.
   *
   * @param now returns the state of the server; called for each response
   */
  public MetricsServlet(ServerMetrics metrics, Supplier<Snapshot> now) {
    super("GET", "HEAD");
    this.metrics = metrics;
    this.now = now;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setHeader("Cache-Control", "no-store");
    response.setContentType(ServerMetrics.CONTENT_TYPE);
    response.getWriter().write(metrics.text(now.get()));
  }
}
