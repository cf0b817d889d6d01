package io.rns.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.replication.DatabaseReport;
import io.rns.replication.MemberReport;
import io.rns.server.access.AccessLog;
import io.rns.server.http.RequestedHost;
import io.rns.server.overload.Admission;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says how the server is: {@code /health} in one word and an HTTP status for supervisors (200 when a query of the root is
 * answered, 503 otherwise), {@code /status} as the JSON document behind {@code rns status}.
 */
final class StatusServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String SERVICE = "/services/rns";

  private final transient Startup startup;
  private final transient ServerConfig config;
  private final transient Admission admission;
  private final transient @Nullable AccessLog access;
  private final transient ObjectMapper json = new ObjectMapper();

  StatusServlet(Startup startup, ServerConfig config, Admission admission, @Nullable AccessLog access) {
    this.access = access;
    this.startup = startup;
    this.config = config;
    this.admission = admission;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    RnsServer server = startup.server();
    String trouble = server == null ? startup.reason() : server.trouble().orElse(null);
    boolean health = request.getServletPath().equals("/health");
    response.setHeader("Cache-Control", "no-store");
    response.setContentType(health ? "text/plain;charset=utf-8" : "application/json");
    if (health) {
      response.setStatus(trouble == null ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      response.getWriter().println(trouble == null ? serving(server) : trouble);
    } else {
      json.writeValue(response.getOutputStream(), status(request, server, trouble));
    }
  }

  private static String serving(@Nullable RnsServer server) {
    return server == null ? "serving" : server.writeTrouble().map(why -> "serving reads only: " + why).orElse("serving");
  }

  private Map<String, Object> status(HttpServletRequest request, @Nullable RnsServer server, @Nullable String trouble) {
    Map<String, Object> status = new LinkedHashMap<>();
    RequestedHost host = RequestedHost.of(request);
    String soap = config.web().publicUrl().orElseGet(host::soapUrl);
    status.put("soap", soap);
    boolean isUsual = soap.endsWith(SERVICE);
    status.put("rest", (isUsual ? soap.substring(0, soap.length() - SERVICE.length()) : host.url()) + "/names");
    List<Map<String, Object>> servers = new ArrayList<>();
    if (server == null) {
      servers.add(told(config.name(), config.serverUrl().orElse(""), "starting", String.valueOf(trouble)));
    } else {
      for (MemberReport report : server.reports()) {
        servers.add(told(report));
        if (report.name().equals(config.name())) {
          Map<String, Number> statistics = new LinkedHashMap<>(server.statistics());
          statistics.putAll(admission.statistics());
          if (access != null) {
            statistics.putAll(access.statistics());
          }
          servers.get(servers.size() - 1).put("statistics", statistics);
          server.writeTrouble().ifPresent(why -> servers.get(servers.size() - 1).put("state", serving(server)));
          servers.get(servers.size() - 1).put("registrar", server.pools().told());
          server.dnsAddress()
              .ifPresent(
                  dns ->
                      servers.get(servers.size() - 1)
                          .put("dns", dns.getAddress().getHostAddress() + ":" + dns.getPort()));
        }
      }
      server.unreachable().forEach((url, name) -> servers.add(told(name, url, "unreachable", "it does not answer")));
    }
    status.put("servers", servers);
    return status;
  }

  private static Map<String, Object> told(MemberReport report) {
    String state = report.reason().isEmpty() ? "serving" : report.reason();
    Map<String, Object> server = told(report.name(), report.url(), report.role().name().toLowerCase(Locale.ROOT), state);
    report.position().ifPresent(position -> {
      server.put("group", position.group());
      server.put("position", position.toString());
      server.put("lagMillis", report.lag().p50Millis());
    });
    server.put("lag", report.lag());
    server.put("ageMillis", report.ageMillis());
    report.database().ifPresent(database -> server.put("database", told(database)));
    return server;
  }

  static Map<String, Object> told(DatabaseReport database) {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("address", database.address());
    told.put("writable", database.writable());
    told.put("source", database.source().orElse(null));
    told.put("receiving", database.receiving());
    boolean counts = database.acknowledging().isPresent();
    told.put("acknowledging", counts ? database.acknowledging().getAsInt() : null);
    told.put("durability", !database.writable() ? null : counts ? "replicated" : "local");
    told.put("trouble", database.trouble().orElse(null));
    return told;
  }

  private static Map<String, Object> told(String name, String url, String role, String state) {
    Map<String, Object> server = new LinkedHashMap<>();
    server.put("name", name);
    server.put("url", url);
    server.put("role", role);
    server.put("group", null);
    server.put("position", null);
    server.put("lagMillis", null);
    server.put("state", state);
    return server;
  }
}
