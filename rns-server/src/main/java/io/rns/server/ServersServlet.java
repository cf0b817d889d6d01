package io.rns.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.api.Position;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Tells, as JSON, the servers that a client may choose among: what {@code x:Servers} tells in answers of SOAP. */
final class ServersServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String RETRY_SECONDS = "2";

  private final transient Startup startup;
  private final transient ObjectMapper json = new ObjectMapper();

  ServersServlet(Startup startup) {
    this.startup = startup;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    RnsServer server = startup.server();
    response.setContentType("application/json");
    if (server == null) {
      response.setHeader("Cache-Control", "no-store");
      response.setHeader("Retry-After", RETRY_SECONDS);
      response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      json.writeValue(
          response.getOutputStream(), json.createObjectNode().put("code", "UNAVAILABLE").put("message", startup.reason()));
      return;
    }
    Referral referral = server.referral();
    response.setHeader("Cache-Control", "max-age=" + TimeUnit.MILLISECONDS.toSeconds(referral.ttlMillis()));
    json.writeValue(response.getOutputStream(), document(referral));
  }

  ObjectNode document(Referral referral) {
    ObjectNode document = json.createObjectNode();
    document.put("prefix", referral.prefix().toString());
    document.put("epoch", referral.epoch());
    document.put("ttlMillis", referral.ttlMillis());
    ArrayNode servers = document.putArray("servers");
    for (Announcement server : referral.servers()) {
      ObjectNode told = servers.addObject();
      told.put("url", server.url()).put("name", server.name()).put("role", server.role().text());
      told.put("living", server.living()).put("site", server.site().text()).put("capacity", server.capacity());
      told.put("load", server.load()).put("lagMillis", server.lagMillis());
      told.put("position", server.position().map(Position::toString).orElse(null));
    }
    return document;
  }
}
