package io.rns.local;

import io.rns.operator.OperatorKey;
import io.rns.operator.Signature;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * All there is of a service where only its start and stop are tested: it answers, and says how it was set up. As a
 * member of a group it is a replica until it is told to be the primary.
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
    Signature signature = Signature.parse(request.getHeader(OperatorKey.HEADER)).orElseThrow();
    String query = request.getQueryString() == null ? "" : "?" + request.getQueryString();
    String path = request.getServletPath() + request.getPathInfo() + query;
    OperatorKey key = new OperatorKey(System.getenv("RNS_GROUP_SECRET"));
    if (!key.isRequest(signature, request.getMethod(), path)) {
      response.sendError(HttpServletResponse.SC_FORBIDDEN);
      return;
    }
    StringBuilder text =
        new StringBuilder("{\"role\": \"" + (primary.get() ? "PRIMARY" : "REPLICA") + "\", \"state\": \"serving\"");
    for (String name : List.of("RNS_TOPOLOGY", "RNS_SERVER_NAME", "RNS_SERVER_URL", "RNS_GROUP_SERVERS",
        "RNS_DB_ADDRESS",
        "RNS_DB_CONTROL_USER", "RNS_DB_CONTROL_PASSWORD")) {
      text.append(", \"").append(name).append("\": \"").append(System.getenv(name)).append('"');
    }
    byte[] body = text.append('}').toString().getBytes(StandardCharsets.UTF_8);
    Signature answer = key.signAnswer(200, System.currentTimeMillis(), signature.nonce(), OperatorKey.digest(body));
    response.setHeader(OperatorKey.HEADER, answer.header());
    response.setContentType("application/json");
    response.getOutputStream().write(body);
  }

  private String greeting() throws IOException {
    try (var file = getServletContext().getResourceAsStream("/greeting.txt")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
