package io.rns.guard;

import java.io.IOException;
import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.HttpResponsePacket;
import org.glassfish.grizzly.http.Method;
import org.glassfish.grizzly.http.Note;
import org.glassfish.grizzly.http.ProcessingState;
import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;
import org.glassfish.grizzly.http.server.util.MappingData;
import org.glassfish.grizzly.http.util.Header;
import org.jspecify.annotations.Nullable;

/** Passes requests for the service to the container and answers all others. */
final class GuardHandler extends HttpHandler {
  /** The note under which both GlassFish's mapper and its web container store the mapping. */
  private static final Note<MappingData> MAPPING = Request.createNote("MappingData");

  private final HttpHandler container;
  private final Settings settings;
  private final Availability availability;

  GuardHandler(HttpHandler container, Settings settings, Availability availability) {
    super("rns-guard");
    this.container = container;
    this.settings = settings;
    this.availability = availability;
    // The container would answer an undecodable path with its own error page.
    setDecodeUrl(false);
    setAllowEncodedSlash(container.isAllowEncodedSlash());
    setRequestURIEncoding(container.getRequestURIEncoding());
  }

  @Override
  public void service(Request request, Response response) throws Exception {
    HttpRequestPacket packet = request.getRequest();
    Problem malformed = Framing.problem(packet);
    if (malformed != null) {
      // What follows on this connection could be a body or a request.
      close(packet, response);
      refuse(packet, response, malformed);
      return;
    }
    RequestPath.Target target = RequestPath.of(settings.contexts(), packet.getRequestURIRef(), isAllowEncodedSlash());
    if (packet.getMethod() == Method.TRACE) {
      // Grizzly takes the body of a TRACE request for the next request.
      close(packet, response);
      target = RequestPath.Target.ELSEWHERE;
    }
    switch (target) {
      case ELSEWHERE -> response.setStatus(404);
      case ROOT -> {
        // A relative location: the container would echo the host name sent by the client.
        response.setStatus(301);
        response.setHeader(Header.Location, packet.getRequestURIRef().getDecodedURI(isAllowEncodedSlash()) + "/");
      }
      case UNDECODABLE -> refuse(packet, response, Problem.malformed("the path of the URL cannot be decoded"));
      case APPLICATION -> pass(request, response);
    }
  }

  private void refuse(HttpRequestPacket packet, Response response, Problem problem) throws IOException {
    ErrorPage.of(problem, packet, settings.contexts()).send(response);
  }

  private void pass(Request request, Response response) throws Exception {
    if (!availability.isOpen()) {
      refuse(request.getRequest(), response, Problem.UNAVAILABLE);
      return;
    }
    if (settings.clientChains()) {
      ClientChain.handOn(request);
    }
    HttpResponsePacket sent = response.getResponse();
    response.getOutputBuffer().registerLifeCycleListener(() -> addTimeToComeBack(sent));
    Suspension suspension = Suspension.of(response);
    container.service(request, response);
    // A suspended response may have been finished by another thread and already belong to another request.
    if (!suspension.took() && !response.isCommitted() && request.getContext().getConnection().isOpen()) {
      replacePage(request, response);
    }
  }

  /**
   * Replaces error responses of the container. It answers for applications that are not or only partly deployed: in
   * HTML, or with a bare status if the application that renders its error pages has just stopped.
   */
  private void replacePage(Request request, Response response) throws IOException {
    int status = response.getStatus();
    if (!isMapped(request)) {
      refuse(request.getRequest(), response, Problem.UNAVAILABLE);
    } else if (status >= 400 && isOfContainer(response.getContentType())) {
      refuse(request.getRequest(), response, availability.isOpen() ? Problem.ofContainer(status) : Problem.UNAVAILABLE);
    }
  }

  /**
   * Completes a bare 503 that is about to be sent. While the container stops the application, it may commit one itself,
   * or the application by a dispatch: too late to be replaced.
   */
  private static void addTimeToComeBack(HttpResponsePacket response) {
    if (response.getStatus() == Problem.UNAVAILABLE.status() && isOfContainer(response.getContentType())
        && !response.containsHeader(Header.RetryAfter)) {
      response.setHeader(Header.RetryAfter, Problem.RETRY_SECONDS);
    }
  }

  /** With a single registered container GlassFish does not map requests; the container does, and leaves a note. */
  private boolean isMapped(Request request) {
    String context = request.getContextPath();
    if (context == null || context.isEmpty()) {
      MappingData mapping = request.getNote(MAPPING);
      context = mapping == null ? null : mapping.contextPath.toString();
    }
    return context != null && settings.contexts().contains(context);
  }

  /** Whether an error response with this content type is the container's: those of the service have one, never HTML. */
  private static boolean isOfContainer(@Nullable String contentType) {
    return contentType == null || contentType.startsWith("text/html");
  }

  private static void close(HttpRequestPacket packet, Response response) {
    // Otherwise Grizzly would execute requests it has already read, although their responses reach no client.
    packet.setContentBroken(true);
    ProcessingState state = packet.getProcessingState();
    state.setError(true);
    state.setKeepAlive(false);
    response.setError();
  }
}
