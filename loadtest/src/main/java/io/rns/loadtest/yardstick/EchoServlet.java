package io.rns.loadtest.yardstick;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;

/** Answers a body with the same body: the least that a servlet which reads its request can do. */
@WebServlet("/echo")
public final class EchoServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final int MAX_BYTES = 1 << 20;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
    int length = request.getContentLength();
    if (length < 0 || length > MAX_BYTES) {
      response.sendError(HttpServletResponse.SC_LENGTH_REQUIRED,
          "a length of 0 to " + MAX_BYTES + " bytes is required");
      return;
    }
    byte[] body;
    try (InputStream in = request.getInputStream()) {
      body = in.readNBytes(length);
    }
    response.setContentType(request.getContentType());
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
