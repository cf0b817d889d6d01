package io.rns.server.local;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * All there is of a service where only its start and stop are tested: it answers, and says how it was set up. As a member
 * of a group it is a replica until it is told to be the primary.
 */
@WebServlet({"/services/rns", "/group/*"})
public final class AnswerServlet extends HttpServlet {
  private final AtomicBoolean primary = new AtomicBoolean();

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (request.getServletPath().equals("/group")) {
      primary.set(request.getParameter("to").equals("best"));
      sayOfMember(request, response);
      return;
    }
    response.setContentType("text/xml");
    response.getWriter().print("<queryResponse/>");
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (request.getServletPath().equals("/group")) {
      sayOfMember(request, response);
      return;
    }
    response.setContentType("text/plain");
    response.getWriter().print(System.getenv("RNS_DB_URL") + " " + System.getenv("RNS_DB_USER") + " " + greeting());
  }

  private void sayOfMember(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (!System.getenv("RNS_GROUP_SECRET").equals(request.getHeader("X-RNS-Secret"))) {
      response.sendError(HttpServletResponse.SC_FORBIDDEN);
      return;
    }
    response.setContentType("application/json");
    response.getWriter().print("{\"role\": \"" + (primary.get() ? "PRIMARY" : "REPLICA") + "\", \"state\": \"serving\"");
    for (String name :
        List.of("RNS_TOPOLOGY", "RNS_SERVER_NAME", "RNS_SERVER_URL", "RNS_GROUP_SERVERS", "RNS_DB_ADDRESS",
            "RNS_DB_CONTROL_USER", "RNS_DB_CONTROL_PASSWORD")) {
      response.getWriter().print(", \"" + name + "\": \"" + System.getenv(name) + "\"");
    }
    response.getWriter().print("}");
  }

  private String greeting() throws IOException {
    try (var file = getServletContext().getResourceAsStream("/greeting.txt")) {
      return new String(file.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
  }
}
