package io.rns.server;

import io.rns.error.RnsException;
import io.rns.operator.Signature;
import io.rns.replication.MemberReport;
import io.rns.referral.ServerRole;
import io.rns.server.StatusDocument.Server;
import io.rns.server.access.AccessLog;
import io.rns.server.audit.AuditLog;
import io.rns.server.http.JsonReplies;
import io.rns.server.http.RequestedHost;
import io.rns.server.http.ResourceServlet;
import io.rns.server.http.ServerJson;
import io.rns.server.http.Traffic;
import io.rns.server.operator.OperatorGate;
import io.rns.server.overload.RequestAdmission;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says how the server is: {@code /health} in one word and an HTTP status for supervisors (200 when a query of the root
 * is answered, 503 otherwise), {@code /status} as the JSON document behind {@code rns status}, which says more to
 * operators.
 */
final class StatusServlet extends ResourceServlet {
  private static final long serialVersionUID = 1L;
  private static final String SERVICE = "/services/rns";

  private final transient Startup startup;
  private final transient ServerConfig config;
  private final transient RequestAdmission admission;
  private final transient @Nullable AccessLog access;
  private final transient @Nullable AuditLog audit;
  private final transient OperatorGate gate;
  private final transient Traffic traffic;
  private final transient Checkup checkup = new Checkup();

  StatusServlet(
      Startup startup,
      ServerConfig config,
      RequestAdmission admission,
      @Nullable AccessLog access,
      @Nullable AuditLog audit,
      OperatorGate gate,
      Traffic traffic) {
    super("GET", "HEAD");
    this.gate = gate;
    this.traffic = traffic;
    this.access = access;
    this.audit = audit;
    this.startup = startup;
    this.config = config;
    this.admission = admission;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    traffic.postpone("status", request, response, paced -> answer(request, paced), () -> {});
  }

  private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    RnsServer server = startup.server();
    String trouble = server == null ? startup.reason() : checkup.trouble(server).orElse(null);
    boolean health = request.getServletPath().equals("/health");
    response.setHeader("Cache-Control", "no-store");
    response.setContentType(health ? "text/plain;charset=utf-8" : "application/json");
    if (health) {
      response.setStatus(trouble == null ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      String warning =
          ListenerCertificate.now().flatMap(served -> served.warning(Instant.now())).map(text -> "; " + text)
              .orElse("");
      String unaudited =
          audit == null ? "" : audit.trouble().map(why -> "; the audit log cannot be written").orElse("");
      String differing =
          server == null ? "" : server.membership().accessTrouble().map(what -> "; access differs").orElse("");
      String draining =
          server != null && server.membership().role() == ServerRole.DRAINING ? "; draining" : "";
      String state = (trouble == null ? serving(server) : trouble) + draining + warning + unaudited + differing;
      response.getOutputStream().write((state + "\n").getBytes(StandardCharsets.UTF_8));
    } else {
      sendStatus(request, response, server, trouble);
    }
  }

  private static String serving(@Nullable RnsServer server) {
    return server == null ? "serving"
        : server.membership().writeTrouble().map(why -> "serving reads only: " + why).orElse("serving");
  }

  private void sendStatus(
      HttpServletRequest request, HttpServletResponse response, @Nullable RnsServer server, @Nullable String trouble)
      throws IOException {
    Signature signature = null;
    Object document;
    try {
      if (OperatorGate.isSigned(request)) {
        signature = gate.signature(request);
        gate.take(signature, request);
      }
      document = status(request, server, trouble, signature != null);
    } catch (RnsException e) {
      document = JsonReplies.refuse(response, e);
    }
    gate.send(response, signature, ServerJson.MAPPER.writeValueAsBytes(document));
  }

  private StatusDocument status(
      HttpServletRequest request, @Nullable RnsServer server, @Nullable String trouble, boolean operator) {
    RequestedHost host = RequestedHost.of(request);
    String soap = config.web().publicUrl().orElseGet(host::soapUrl);
    boolean isUsual = soap.endsWith(SERVICE);
    String base = isUsual ? soap.substring(0, soap.length() - SERVICE.length()) : host.url();
    List<Server> servers =
        server == null
            ? List.of(
                Server.of(
                    config.name(), config.serverUrl().orElse(""), "starting", String.valueOf(trouble), operator))
            : servers(server, operator);
    Optional<StatusDocument.Failover> failover =
        Optional.ofNullable(server).map(RnsServer::membership)
            .flatMap(
                group -> StatusDocument.Failover.of(group.nextPrimary(), group.failoverTrouble(), operator));
    Optional<StatusDocument.Certificate> certificate =
        ListenerCertificate.now().map(served -> StatusDocument.Certificate.of(served, operator));
    return new StatusDocument(
        soap, base + "/names", servers, failover, certificate,
        Optional.of(StatusDocument.Protection.of(config.access().mode(), request.isSecure() || certificate.isPresent(),
            audit, operator)));
  }

  private List<Server> servers(RnsServer server, boolean operator) {
    List<Server> servers = new ArrayList<>();
    for (MemberReport report : server.membership().reports()) {
      Server told = Server.of(report, operator);
      servers.add(report.name().equals(config.name()) ? withOwn(told, server, operator) : told);
    }
    server.membership().unreachable()
        .forEach((url, name) -> servers.add(Server.of(name, url, "unreachable", "it does not answer", operator)));
    return servers;
  }

  private Server withOwn(Server told, RnsServer server, boolean operator) {
    Map<String, Number> statistics = new LinkedHashMap<>(server.statistics());
    statistics.putAll(admission.statistics());
    statistics.putAll(traffic.statistics());
    if (access != null) {
      statistics.putAll(access.statistics());
    }
    if (audit != null) {
      statistics.putAll(audit.statistics());
    }
    String readsOnly = operator ? serving(server) : "serving reads only";
    String state = server.membership().writeTrouble().isPresent() ? readsOnly : told.state();
    Optional<String> dns =
        server.dnsAddress().map(address -> address.getAddress().getHostAddress() + ":" + address.getPort());
    return told.with(state, new StatusDocument.Own(statistics, server.pools().told(), dns));
  }
}
