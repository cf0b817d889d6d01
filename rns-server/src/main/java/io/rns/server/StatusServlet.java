package io.rns.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.CallContext;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.error.RnsException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says how the server is: {@code /health} in one word and an HTTP status for supervisors (200 when a query of the root is
 * answered, 503 otherwise), {@code /status} as the JSON document behind {@code rns status}.
 */
final class StatusServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient Startup startup;
  private final transient ServerConfig config;
  private final transient ObjectMapper json = new ObjectMapper();

  StatusServlet(Startup startup, ServerConfig config) {
    this.startup = startup;
    this.config = config;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    RnsServer server = startup.server();
    String trouble = server == null ? startup.reason() : trouble(server);
    boolean health = request.getServletPath().equals("/health");
    response.setHeader("Cache-Control", "no-store");
    response.setContentType(health ? "text/plain;charset=utf-8" : "application/json");
    if (health) {
      response.setStatus(trouble == null ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      response.getWriter().println(trouble == null ? "serving" : trouble);
    } else {
      json.writeValue(response.getOutputStream(), status(request, server, trouble));
    }
  }

  private static @Nullable String trouble(RnsServer server) {
    try {
      server.names().query(CallContext.ANONYMOUS, QueryRequest.of(Target.ROOT).withCounts());
      return null;
    } catch (RnsException e) {
      return e.getMessage();
    }
  }

  private Map<String, Object> status(HttpServletRequest request, @Nullable RnsServer server, @Nullable String trouble) {
    Map<String, Object> self = new LinkedHashMap<>();
    self.put("name", config.serverName().orElseGet(StatusServlet::hostName));
    self.put("role", server == null ? "starting" : "primary");
    self.put("group", server == null ? null : server.names().position().group());
    self.put("position", server == null ? null : server.names().position().toString());
    self.put("lagMillis", server == null ? null : 0);
    self.put("state", trouble == null ? "serving" : trouble);
    if (server != null) {
      self.put("statistics", server.names().statistics());
    }
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("soap", config.publicUrl().orElseGet(() -> soapUrl(request)));
    status.put("rest", null);
    status.put("servers", List.of(self));
    return status;
  }

  private static String soapUrl(HttpServletRequest request) {
    String url = request.getRequestURL().toString();
    return url.substring(0, url.length() - request.getServletPath().length()) + "/services/rns";
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
