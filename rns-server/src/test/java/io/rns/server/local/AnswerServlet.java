package io.rns.server.local;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** All there is of a service where only its start and stop are tested: it answers, and says how it was set up. */
@WebServlet("/services/rns")
public final class AnswerServlet extends HttpServlet {
  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setContentType("text/xml");
    response.getWriter().print("<queryResponse/>");
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setContentType("text/plain");
    response.getWriter().print(System.getenv("RNS_DB_URL") + " " + System.getenv("RNS_DB_USER") + " " + greeting());
  }

  private String greeting() throws IOException {
    try (var file = getServletContext().getResourceAsStream("/greeting.txt")) {
      return new String(file.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
  }
}
