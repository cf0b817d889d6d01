package io.rns.server.soap;

import io.rns.api.Caller;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.http.ArrivingBody;
import io.rns.server.http.Callers;
import io.rns.server.http.ClientConnection;
import io.rns.server.http.PacedResponse;
import io.rns.server.http.PacedStream;
import io.rns.server.http.RequestedHost;
import io.rns.server.http.SharedAnswers;
import io.rns.server.http.Traffic;
import io.rns.server.memory.MemoryPool;
import io.rns.server.memory.RequestMemory;
import io.rns.server.overload.RequestAdmission;
import io.rns.wire.SoapVersion;
import io.rns.xml.XmlBuffer;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

  private static final int POOLED = 64;

  /**
   * How many requests the threads of the application server work at themselves. The others have virtual threads: it
   * costs more, but when the database is stalled, reads that are not cached hold no more than these.
   */
  private static final int INLINE = 144;

  /**
   * How many of these may be writes, which wait for a commit. A change of threads costs each of them more than to wake
   * a thread that waits: the container makes its objects for the request anew. The others are for reads: with a stalled
   * database all of these may be taken for long.
   */
  private static final int INLINE_WRITES = 128;

  private final transient ScratchPool pool = new ScratchPool(POOLED);
  private final transient Semaphore places = new Semaphore(INLINE);
  private final transient Semaphore writes = new Semaphore(INLINE_WRITES);
  private final transient Traffic alone = new Traffic(SoapSettings.DEFAULT.bodyTimeout(), MemoryPool.ofHeap());
  private transient volatile @Nullable Ready ready;

  /** An endpoint with what belongs to it. */
  private record Ready(SoapEndpoint endpoint, BodyReader bodies) {}

  /** One request and what it is worked with. Belongs to one thread at a time. */
  private record Exchange(
      Ready ready, SoapScratch scratch, ContentType type, boolean zipped, HttpServletRequest request,
      FilterChain chain) {
    void end(ScratchPool pool) {
      if (scratch.large) {
        ready.bodies.release(scratch);
      }
      pool.give(scratch);
    }
  }

  @Override
  protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String path = path(request);
    if (!path.startsWith(SERVICE_PATH)
        || (path.length() > SERVICE_PATH.length() && path.charAt(SERVICE_PATH.length()) != '/')) {
      RnsException unknown = new RnsException(RnsError.INVALID_REQUEST,
          "no service here; it is at " + request.getContextPath() + SERVICE_PATH);
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
    boolean zips = ContentCoding.acceptsGzip(request.getHeader("Accept-Encoding"));
    boolean zipped = coding == ContentCoding.GZIP;
    HttpServletResponse answer = zips ? new GzipResponse(response) : response;
    ClientConnection.bound(request);
    Exchange exchange = new Exchange(current, pool.take(), type, zipped, request, chain);
    exchange.scratch().begin(traffic().memory().open(() -> Callers.account(request)));
    boolean postponed = false;
    boolean inline = false;
    try {
      boolean mayPostpone = request.isAsyncSupported();
      if (mayPostpone) {
        // What is compressed or large may have to wait for others that are.
        boolean quick =
            !zipped && request.getContentLengthLong() <= RequestMemory.FREE_BYTES && ArrivingBody.isHere(request);
        inline = quick && places.tryAcquire();
      }
      postponed = mayPostpone && !inline;
      if (postponed) {
        postpone(exchange, answer, null, later -> serve(exchange, later, false));
      } else {
        postponed = serveHere(exchange, answer, mayPostpone);
      }
      if (!postponed) {
        finish(answer);
      }
    } finally {
      if (inline) {
        places.release();
      }
      if (!postponed) {
        exchange.end(pool);
      }
    }
  }

  private boolean serveHere(Exchange exchange, HttpServletResponse response, boolean mayPostpone)
      throws IOException, ServletException {
    exchange.scratch().memory().bind();
    try {
      return serve(exchange, response, mayPostpone);
    } finally {
      RequestMemory.unbind();
    }
  }

  private static void finish(HttpServletResponse response) throws IOException {
    if (response instanceof GzipResponse zipping) {
      zipping.finish();
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
        new RnsException(RnsError.MALFORMED_MESSAGE,
            "SOAP messages are sent by POST; GET with ?wsdl returns the description");
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

  /**
   * Reads the request and answers it; or leaves that to another thread, which then owns the exchange, and returns true.
   */
  private boolean serve(Exchange exchange, HttpServletResponse response, boolean mayPostpone)
      throws IOException, ServletException {
    HttpServletRequest request = exchange.request();
    SoapScratch scratch = exchange.scratch();
    SoapVersion version = exchange.type().version();
    BodyReader bodies = exchange.ready().bodies();
    try {
      scratch.large = bodies.read(request, scratch, exchange.zipped(), request.isAsyncSupported() && !mayPostpone);
    } catch (RnsException e) {
      // What is left of the body is not worth reading.
      response.setHeader("Connection", "close");
      if (e.error() == RnsError.LIMIT_EXCEEDED) {
        PlainFault.send(response, version, HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE, e);
      } else {
        PlainFault.send(response, version, e);
      }
      return false;
    }
    SoapEndpoint endpoint = exchange.ready().endpoint();
    SoapCall call;
    try {
      Callers.checkBody(request, scratch.body, scratch.length);
      call = call(request, endpoint.hasAccessLog() ? Callers.connection(request) : "");
    } catch (RnsException e) {
      PlainFault.send(response, version, e);
      return false;
    }
    RequestAdmission.Ticket place;
    try {
      place = enter(endpoint.admission(), call.caller(), request);
    } catch (RnsException e) {
      turnAway(exchange, call, e, response);
      return false;
    }
    boolean postponed = false;
    try {
      postponed = work(exchange, call, place, response, mayPostpone);
    } finally {
      if (!postponed) {
        place.close();
      }
    }
    return postponed;
  }

  private boolean work(
      Exchange exchange, SoapCall call, RequestAdmission.Ticket place, HttpServletResponse response,
      boolean mayPostpone)
      throws IOException, ServletException {
    SoapEndpoint endpoint = exchange.ready().endpoint();
    return switch (FastPath.read(endpoint, exchange.scratch(), exchange.type(), call)) {
      case FastPathResult.Plain plain when mayPostpone && plain.waits() -> {
        place.closeUnworked();
        yield answerLater(exchange, call, plain, place, response);
      }
      case FastPathResult.Plain plain when mayPostpone -> switch (plain.work()) {
        case READ -> answer(exchange, call, plain, place, response, true);
        case WRITE -> write(exchange, call, plain, place, response);
        case OTHER -> answerLater(exchange, call, plain, place, response);
      };
      case FastPathResult.Plain plain -> answer(exchange, call, plain, place, response, false);
      case FastPathResult.NotMine() -> handOn(exchange, call, place, response, mayPostpone);
    };
  }

  private boolean answerLater(
      Exchange exchange, SoapCall call, FastPathResult.Plain plain, RequestAdmission.Ticket place,
      HttpServletResponse response) {
    return postpone(exchange, response, place, later -> answer(exchange, call, plain, place, later, false));
  }

  private boolean write(
      Exchange exchange, SoapCall call, FastPathResult.Plain plain, RequestAdmission.Ticket place,
      HttpServletResponse response)
      throws IOException {
    if (!writes.tryAcquire()) {
      return answerLater(exchange, call, plain, place, response);
    }
    try {
      return answer(exchange, call, plain, place, response, true);
    } finally {
      writes.release();
    }
  }

  private boolean answer(
      Exchange exchange, SoapCall call, FastPathResult.Plain plain, RequestAdmission.Ticket place,
      HttpServletResponse response, boolean mayPostpone)
      throws IOException {
    Reply reply = plain.answer().get().relatedTo(plain.addressing());
    reply.shared().ifPresent(header -> response.setHeader(SharedAnswers.HEADER, header));
    return send(exchange, call, reply, place, response, mayPostpone);
  }

  private boolean handOn(
      Exchange exchange, SoapCall call, RequestAdmission.Ticket place, HttpServletResponse response,
      boolean mayPostpone)
      throws IOException, ServletException {
    exchange.request().setAttribute(SoapCall.ATTRIBUTE, call);
    ReplayedRequest replayed = new ReplayedRequest(exchange.request(), exchange.scratch(), exchange.type());
    return mayPostpone
        ? postpone(exchange, response, place, later -> handOn(replayed, later, exchange))
        : handOn(replayed, response, exchange);
  }

  /** What is left to do for an exchange. */
  private interface Rest {
    /** Does it; what it returns is of no interest. */
    boolean run(HttpServletResponse response) throws IOException, ServletException;
  }

  /**
   * Has the rest done by a virtual thread.
   *
   * @param place given back at the end; null if it has none yet
   * @return true
   */
  private boolean postpone(Exchange exchange, HttpServletResponse response, RequestAdmission.@Nullable Ticket place,
      Rest rest) {
    GzipResponse zipping = response instanceof GzipResponse gzip ? gzip : null;
    traffic()
        .postpone(
            "soap",
            exchange.request(),
            zipping == null ? response : zipping.plain(),
            exchange.scratch().memory(),
            paced -> {
              HttpServletResponse later = zipping == null ? paced : zipping.over(paced);
              var unused = rest.run(later);
              finish(later);
            },
            () -> {
              if (place != null) {
                place.close();
              }
              exchange.end(pool);
            });
    return true;
  }

  private Traffic traffic() {
    return getServletContext().getAttribute(Traffic.ATTRIBUTE) instanceof Traffic known ? known : alone;
  }

  /**
   * Responds to a rejected request: its client may contact another server, and gets the list of servers if it requested
   * that.
   */
  private static void turnAway(Exchange exchange, SoapCall call, RnsException why, HttpServletResponse response)
      throws IOException {
    SoapEndpoint endpoint = exchange.ready().endpoint();
    SoapScratch scratch = exchange.scratch();
    ContentType type = exchange.type();
    why.retryMillis().ifPresent(millis -> response.setHeader("Retry-After", Long.toString(1 + (millis - 1) / 1_000)));
    ReplyWriter.send(FastPath.refuse(endpoint, scratch, type, call, why), type.version(), scratch, response);
  }

  /** What is known of a request from its URL and its connection. */
  private static SoapCall call(HttpServletRequest request, String session) {
    String url = RequestedHost.of(request).soapUrl();
    String below = below(request);
    Target target =
        below.isEmpty() && request.getQueryString() == null ? Target.ROOT
            : SoapCall.target(below, request.getParameter("id"), request.getParameter("path"));
    return new SoapCall(
        Callers.of(request), url, target, session, request::getRemoteAddr, () -> Callers.origin(request),
        () -> Callers.front(request), shared(request));
  }

  private static Optional<SharedAnswers> shared(HttpServletRequest request) {
    return SharedAnswers.isAskedBy(request)
        && request.getServletContext().getAttribute(SharedAnswers.ATTRIBUTE) instanceof SharedAnswers answers
            ? Optional.of(answers)
            : Optional.empty();
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

  private static RequestAdmission.Ticket enter(RequestAdmission admission, Caller caller, HttpServletRequest request) {
    return admission.enter(() -> Callers.account(caller, request));
  }

  private static boolean handOn(HttpServletRequest request, HttpServletResponse response, Exchange exchange)
      throws IOException, ServletException {
    if (exchange.type().version() == SoapVersion.V1_2) {
      request.getRequestDispatcher(SOAP_12_PATH).forward(request, response);
    } else if (below(request).isEmpty() && !request.isAsyncStarted()) {
      exchange.chain().doFilter(request, response);
    } else {
      request.getRequestDispatcher(SERVICE_PATH).forward(request, response);
    }
    return false;
  }

  /** Sends an answer of the fast path; or has it sent, as soon as that may take time, and returns true. */
  private boolean send(
      Exchange exchange, SoapCall call, Reply reply, RequestAdmission.Ticket place, HttpServletResponse response,
      boolean mayPostpone)
      throws IOException {
    SoapVersion version = exchange.type().version();
    XmlBuffer out = exchange.scratch().answer();
    boolean more = ReplyWriter.begin(reply, version, out, response);
    boolean slow = more || out.length() > PacedStream.SMALL_BYTES;
    if (slow) {
      try {
        exchange.scratch().noteAnswer();
      } catch (RnsException e) {
        out.truncate(0);
        turnAway(exchange, call, e, response);
        return false;
      }
    }
    if (mayPostpone && (mayTakeTime(response, more, slow, out) || !response.getOutputStream().isReady())) {
      return postpone(
          exchange, response, place, later -> ReplyWriter.end(reply, version, more, exchange.scratch(), later));
    }
    boolean unused = ReplyWriter.end(reply, version, more, exchange.scratch(), response);
    if (mayPostpone && slow && !response.getOutputStream().isReady()) {
      // The client does not take all of it at once.
      return postpone(exchange, response, place, SoapFilter::awaitSent);
    }
    return false;
  }

  /** Whether more is to be done for an answer than to hand one piece to the container, which does not block. */
  private static boolean mayTakeTime(HttpServletResponse response, boolean more, boolean slow, XmlBuffer out) {
    return more || out.length() > PacedStream.PIECE_BYTES || (slow && response instanceof GzipResponse);
  }

  private static boolean awaitSent(HttpServletResponse response) throws IOException {
    if (response instanceof PacedResponse paced) {
      paced.awaitSent();
    }
    return false;
  }

  /** Answers with a fault, for errors found before a message is read. */
  public static void refuse(HttpServletRequest request, HttpServletResponse response, int status, RnsException error)
      throws IOException {
    if (status == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
      response.setHeader("Retry-After", "1");
    }
    PlainFault.send(response, ContentType.parse(request.getContentType()).version(), status, error);
  }
}
