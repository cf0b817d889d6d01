package io.rns.server.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/**
 * Several filters as one, in their order. Of filters that an application adds in front of those of its descriptor, some
 * containers put the last one first: GlassFish does.
 */
public final class FilterSequence extends HttpFilter {
  private static final long serialVersionUID = 1L;

  private final transient List<Filter> filters;

  /** A filter that does what these do, one behind the other. They are not initialised. */
  public FilterSequence(List<Filter> filters) {
    this.filters = List.copyOf(filters);
  }

  @Override
  protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    FilterChain rest = chain;
    for (int i = filters.size() - 1; i >= 0; i--) {
      Filter filter = filters.get(i);
      FilterChain behind = rest;
      rest = (req, res) -> filter.doFilter(req, res, behind);
    }
    rest.doFilter(request, response);
  }
}
