package io.rns.server.http;

import io.rns.identity.DirectTickets;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

/** A request with a direct ticket as the client first sent it, so that the ticket appears in no log or redirection. */
final class RequestWithoutTicket extends HttpServletRequestWrapper {
  RequestWithoutTicket(HttpServletRequest request) {
    super(request);
  }

  @Override
  public @Nullable String getQueryString() {
    return DirectTickets.without(super.getQueryString());
  }
}
