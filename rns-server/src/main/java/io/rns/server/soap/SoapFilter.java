package io.rns.server.soap;

import io.rns.api.Caller;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.http.Callers;
import io.rns.server.http.RequestedHost;
import io.rns.server.overload.Admission;
import io.rns.wire.Envelope;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entrance for plain messages, in front of JAX-WS at the same URL. It reads the body once; what it does not answer
 * itself goes on with the body replayed.
 */
public final class SoapFilter extends HttpFilter {
  /** A request longer than this counts as large. */
  static final int LARGE_BYTES = 1_048_576;

  /** The path of the provider of SOAP 1.2 in the web application; JAX-WS binds one version to one path. */
  static final String SOAP_12_PATH = "/services/rns-soap12";

  /** The path of the service. */
  static final String SERVICE_PATH = "/services/rns";

  private static final Logger LOG = LoggerFactory.getLogger(SoapFilter.class);
  private static final int POOLED = 64;

  private final transient ScratchPool pool = new ScratchPool(POOLED);
  private transient volatile @Nullable Ready ready;

  /** An endpoint with what belongs to it. */
  private record Ready(SoapEndpoint endpoint, BodyReader bodies) {}

  @Override
  protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String path = path(request);
    if (!path.startsWith(SERVICE_PATH) || (path.length() > SERVICE_PATH.length() && path.charAt(SERVICE_PATH.length()) != '/')) {
      RnsException unknown = new RnsException(RnsError.INVALID_REQUEST, "no service here; it is at " + request.getContextPath() + SERVICE_PATH);
      PlainFault.send(response, SoapVersion.V1_1, HttpServletResponse.SC_NOT_FOUND, unknown);
      return;
    }
    if (!request.getMethod().equals("POST")) {
      describe(request, response);
      return;
    }
    Ready current = ready();
    ContentType type = ContentType.parse(request.getContentType());
    if (current == null) {
      PlainFault.send(response, type.version(), new RnsException(RnsError.UNAVAILABLE, "the service is starting"));
      return;
    }
    ContentCoding coding = ContentCoding.of(request.getHeader("Content-Encoding"));
    if (type.kind() == ContentType.Kind.OTHER || coding == ContentCoding.OTHER) {
      response.setHeader("Accept-Encoding", "gzip");
      RnsException unknown =
          new RnsException(
              RnsError.MALFORMED_MESSAGE,
              "the content type is not text/xml or application/soap+xml, or the content encoding is neither identity nor gzip");
      PlainFault.send(response, type.version(), HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE, unknown);
      return;
    }
    Scratch scratch = pool.take();
    boolean postponed = false;
    try {
      boolean zipped = coding == ContentCoding.GZIP;
      if (ContentCoding.acceptsGzip(request.getHeader("Accept-Encoding"))) {
        GzipResponse zipping = new GzipResponse(response);
        postponed = serve(current, scratch, type, zipped, request, zipping, chain);
        if (!postponed) {
          zipping.finish();
        }
      } else {
        postponed = serve(current, scratch, type, zipped, request, response, chain);
      }
    } finally {
      if (!postponed) {
        pool.give(scratch);
      }
    }
  }

  /** Everything but POST: the description of the service, or nothing. */
  private static void describe(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    String below = below(request);
    String document = below.isEmpty() || below.equals("/") ? DescriptionServlet.path(request.getQueryString()) : null;
    if (document != null && (request.getMethod().equals("GET") || request.getMethod().equals("HEAD"))) {
      request.getRequestDispatcher(document).forward(request, response);
      return;
    }
    response.setHeader("Allow", "POST");
    RnsException other =
        new RnsException(RnsError.MALFORMED_MESSAGE, "SOAP messages come by POST; GET with ?wsdl gives the description");
    PlainFault.send(response, SoapVersion.V1_1, HttpServletResponse.SC_METHOD_NOT_ALLOWED, other);
  }

  private @Nullable Ready ready() {
    Ready current = ready;
    Object endpoint = getServletContext().getAttribute(SoapEndpoint.ATTRIBUTE);
    if (current != null && current.endpoint() == endpoint) {
      return current;
    }
    if (endpoint instanceof SoapEndpoint fresh) {
      current = new Ready(fresh, new BodyReader(fresh.settings()));
      ready = current;
      return current;
    }
    return null;
  }

  /** Answers; or leaves that to another thread, which then owns the scratch, and returns true. */
  private boolean serve(
      Ready current,
      Scratch scratch,
      ContentType type,
      boolean zipped,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    boolean large;
    try {
      large = current.bodies().read(request, scratch, zipped);
    } catch (RnsException e) {
      // What is left of the body is not worth reading.
      response.setHeader("Connection", "close");
      if (e.error() == RnsError.LIMIT_EXCEEDED) {
        PlainFault.send(response, type.version(), HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE, e);
      } else {
        PlainFault.send(response, type.version(), e);
      }
      return false;
    }
    boolean postponed = false;
    try {
      SoapCall call;
      try {
        call = call(request, current.endpoint().hasAccessLog() ? Callers.connection(request) : "");
      } catch (RnsException e) {
        PlainFault.send(response, type.version(), e);
        return false;
      }
      Admission.Ticket place;
      try {
        place = enter(current.endpoint().admission(), call.caller(), request);
      } catch (RnsException e) {
        turnAway(current.endpoint(), scratch, type, call, e, response);
        return false;
      }
      try (place) {
        Reply reply = FastPath.answer(current.endpoint(), scratch, type, call, !large && request.isAsyncSupported());
        if (reply == PostponedReply.INSTANCE) {
          place.closeUnworked();
          postpone(current, scratch, type, call, request.startAsync(request, response));
          postponed = true;
        } else if (reply != null) {
          send(reply, type.version(), scratch, response);
        } else {
          request.setAttribute(SoapCall.ATTRIBUTE, call);
          handOn(new ReplayedRequest(request, scratch, type), response, type, chain);
        }
      }
    } finally {
      if (large) {
        current.bodies().release();
      }
    }
    return postponed;
  }

  /** Has the request answered by a virtual thread: however many wait, the server's threads are free for others. */
  private void postpone(Ready current, Scratch scratch, ContentType type, SoapCall call, AsyncContext context) {
    // The wait has a bound of its own.
    context.setTimeout(0);
    HttpServletResponse response = (HttpServletResponse) context.getResponse();
    Thread.ofVirtual()
        .name("postponed read")
        .start(
            () -> {
              try {
                Reply reply = Objects.requireNonNull(FastPath.answer(current.endpoint(), scratch, type, call, false));
                send(reply, type.version(), scratch, response);
                if (response instanceof GzipResponse zipping) {
                  zipping.finish();
                }
              } catch (IOException e) {
                LOG.debug("a caller has not waited for his answer: {}", e.toString());
              } catch (RuntimeException e) {
                // As the application server does for its own threads: the caller must not take a part for the whole.
                LOG.error("an answer broke off", e);
                if (!response.isCommitted()) {
                  response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
                }
              } finally {
                pool.give(scratch);
                context.complete();
              }
            });
  }

  /** Answers who found no place: he may ask another server, and is told which there are if that is what he wanted to know. */
  private static void turnAway(
      SoapEndpoint endpoint, Scratch scratch, ContentType type, SoapCall call, RnsException why, HttpServletResponse response)
      throws IOException {
    why.retryMillis().ifPresent(millis -> response.setHeader("Retry-After", Long.toString(1 + (millis - 1) / 1_000)));
    send(FastPath.refuse(endpoint, scratch, type, call, why), type.version(), scratch, response);
  }

  /** What is known of a request from its URL and its connection. */
  private static SoapCall call(HttpServletRequest request, String session) {
    String url = RequestedHost.of(request).soapUrl();
    String below = below(request);
    if (below.isEmpty() && request.getQueryString() == null) {
      return new SoapCall(Callers.of(request), url, Target.ROOT, session);
    }
    Target target = SoapCall.target(below, request.getParameter("id"), request.getParameter("path"));
    return new SoapCall(Callers.of(request), url, target, session);
  }

  /** The decoded path of the URL behind that of the service. */
  private static String below(HttpServletRequest request) {
    return path(request).substring(SERVICE_PATH.length());
  }

  /** The decoded path of the URL in the web application. */
  private static String path(HttpServletRequest request) {
    String info = request.getPathInfo();
    return info == null ? request.getServletPath() : request.getServletPath() + info;
  }

  private static Admission.Ticket enter(Admission admission, Caller caller, HttpServletRequest request) {
    return admission.enter(() -> Callers.asker(caller, request));
  }

  private static void handOn(
      HttpServletRequest request, HttpServletResponse response, ContentType type, FilterChain chain)
      throws IOException, ServletException {
    if (type.version() == SoapVersion.V1_2) {
      request.getRequestDispatcher(SOAP_12_PATH).forward(request, response);
    } else if (below(request).isEmpty()) {
      chain.doFilter(request, response);
    } else {
      request.getRequestDispatcher(SERVICE_PATH).forward(request, response);
    }
  }

  private static void send(Reply reply, SoapVersion version, Scratch scratch, HttpServletResponse response) throws IOException {
    XmlBuffer out = scratch.answer();
    reply.open(out, version);
    boolean more = reply.writeNext(out, version);
    response.setStatus(reply.status(version));
    response.setContentType(PlainFault.contentType(version));
    ServletOutputStream body = response.getOutputStream();
    while (more) {
      scratch.noteAnswer();
      out.writeTo(body);
      out.truncate(0);
      more = reply.writeNext(out, version);
    }
    Envelope.close(out);
    if (!response.isCommitted()) {
      response.setContentLength(out.length());
    }
    out.writeTo(body);
  }

  /** Answers with a fault, for errors found before a message is read. */
  public static void refuse(HttpServletRequest request, HttpServletResponse response, int status, RnsException error)
      throws IOException {
    PlainFault.send(response, ContentType.parse(request.getContentType()).version(), status, error);
  }
}
