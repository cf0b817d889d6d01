package io.rns.server.http;

import io.rns.api.Caller;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.CallerPassing;
import io.rns.identity.DirectTickets;
import io.rns.identity.Identification;
import io.rns.identity.PassedOn;
import io.rns.identity.RequestPassing;
import io.rns.server.audit.RequestAudit;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Behind {@link EntranceFilter} and in front of everything else: finds out who sends a request ({@link Callers#of}),
 * and refuses it if its credential is wrong.
 */
public final class CallerFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final String AUTHORIZATION = "Authorization";
  private static final String MESSAGES = "/services/rns";
  private static final String WATCH = "/watch";

  /** How long a watch lasts whose caller only another server or a front can identify. */
  private static final Duration KNOWN_ELSEWHERE = Duration.ofMinutes(10);

  /**
   * Where the guard in front of GlassFish puts the certificates of a client. Not the attribute of the servlet
   * specification: a container may take that from headers.
   */
  private static final String CHAIN = "io.rns.guard.ClientChain";

  private final transient Identification identification;
  private final transient @Nullable CallerPassing passing;
  private final transient BiPredicate<String, HttpServletRequest> isHere;
  private final transient EntranceFilter.Refusal soap;

  /**
   * A filter for all paths.
   *
   * @param passing reads callers that other servers and fronts pass on; null without a secret, so that none can
   * @param isHere whether host and port, as other servers know them, are those of the server that got a request
   * @param soap how requests below {@code /services} are refused
   */
  public CallerFilter(
      Identification identification, @Nullable CallerPassing passing,
      BiPredicate<String, HttpServletRequest> isHere, EntranceFilter.Refusal soap) {
    this.identification = identification;
    this.passing = passing;
    this.isHere = isHere;
    this.soap = soap;
  }

  @Override
  protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String origin = request.getHeader(CallerPassing.ORIGIN);
    if (passing != null && origin != null) {
      passing.origin(origin).ifPresent(known -> {
        Callers.setOrigin(request, known);
        RequestAudit.noteOrigin(known);
      });
    }
    Caller caller;
    boolean here = false;
    String own = null;
    HttpServletRequest served = request;
    try {
      String passed = header(request, CallerPassing.HEADER);
      own = header(request, AUTHORIZATION);
      Optional<Caller> sent = Optional.empty();
      if (DirectTickets.isIn(request.getQueryString())) {
        sent = sentHere(passed, own, request);
        served = new RequestWithoutTicket(request);
      }
      if (sent.isPresent()) {
        caller = sent.get();
      } else if (passed == null) {
        caller = identification.caller(own, chain(request), () -> Callers.origin(request));
        here = true;
        RequestAudit.noteCaller(caller, own);
      } else {
        caller = passedOn(passed, own, request);
      }
    } catch (RnsException e) {
      RequestAudit.noteRefused(own, !chain(request).isEmpty());
      refuse(request, response, e);
      return;
    }
    Callers.set(request, caller);
    if (request.getServletPath().equals(WATCH)) {
      Callers.setLasting(request, here ? lasting(caller, own, request) : forSomeTime());
    }
    chain.doFilter(served, response);
  }

  private static BooleanSupplier forSomeTime() {
    long begun = System.nanoTime();
    return () -> System.nanoTime() - begun < KNOWN_ELSEWHERE.toNanos();
  }

  /** Identifies the caller again. */
  private BooleanSupplier lasting(Caller caller, @Nullable String own, HttpServletRequest request) {
    List<X509Certificate> chain = chain(request);
    String origin = Callers.origin(request);
    return () -> {
      try {
        return identification.caller(own, chain, () -> origin).equals(caller);
      } catch (RnsException e) {
        return false;
      }
    };
  }

  /** The caller by the ticket with which a front has sent it here; empty if that is to be found out as usual. */
  private Optional<Caller> sentHere(@Nullable String passed, @Nullable String own, HttpServletRequest request) {
    String query = request.getQueryString();
    if (passing == null || passed != null) {
      throw new RnsException(
          RnsError.NOT_AUTHENTICATED,
          "a direct ticket needs a server with the secret of the front, and no other passed-on caller");
    }
    String line = line(request, DirectTickets.without(query));
    Optional<PassedOn.Known> known =
        passing.takeTicket(query, line, own != null, target -> isHere.test(target, request));
    known.ifPresent(named -> RequestAudit.notePassedOn(named.caller(), named.server()));
    return known.map(PassedOn.Known::caller);
  }

  private static String line(HttpServletRequest request, @Nullable String query) {
    String target = query == null ? request.getRequestURI() : request.getRequestURI() + "?" + query;
    return RequestPassing.line(request.getMethod(), target);
  }

  /**
   * The caller that another server passed on with a message, or a front with any request. {@link Callers#checkBody} has
   * to follow if there is a body.
   */
  private Caller passedOn(String header, @Nullable String own, HttpServletRequest request) {
    boolean message = request.getServletPath().equals(MESSAGES) && request.getMethod().equals("POST");
    if (passing == null || own != null || !(message || CallerPassing.isOfFront(header))) {
      throw new RnsException(
          RnsError.NOT_AUTHENTICATED, "only servers of this service pass callers on, with messages, and its fronts");
    }
    if (RequestUrl.hasForm(request)) {
      // Nobody would compare its parameters with what was signed.
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "a request whose caller was passed on has its parameters in its address, not in a form");
    }
    String line = line(request, request.getQueryString());
    return switch (passing.take(header, line, known -> isHere.test(known, request))) {
      case PassedOn.Known passed -> {
        Callers.set(request, passed);
        RequestAudit.notePassedOn(passed.caller(), passed.server());
        yield passed.caller();
      }
      case PassedOn.Refused refused -> {
        RequestAudit.noteRefusedBy(refused.server());
        throw new RnsException(RnsError.NOT_AUTHENTICATED, refused.reason());
      }
    };
  }

  /** The certificates that the client has presented: clients cannot set attributes. */
  private static List<X509Certificate> chain(HttpServletRequest request) {
    return request.getAttribute(CHAIN) instanceof X509Certificate[] chain ? List.of(chain) : List.of();
  }

  /** The only header of a name; null if there is none. */
  private static @Nullable String header(HttpServletRequest request, String name) {
    String header = request.getHeader(name);
    if (header != null) {
      Enumeration<String> all = request.getHeaders(name);
      all.nextElement();
      if (all.hasMoreElements()) {
        throw new RnsException(RnsError.NOT_AUTHENTICATED, "the request has more than one header " + name);
      }
    }
    return header;
  }

  private void refuse(HttpServletRequest request, HttpServletResponse response, RnsException error) throws IOException {
    if (request.getServletPath().startsWith("/services")) {
      soap.send(request, response, JsonReplies.status(error.error()), error);
    } else {
      JsonReplies.send(response, JsonReplies.refuse(response, error));
    }
  }
}
