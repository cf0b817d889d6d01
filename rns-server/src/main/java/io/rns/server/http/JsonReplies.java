package io.rns.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.api.Answer;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.audit.RequestAudit;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers as JSON. */
public final class JsonReplies {
  private static final long RETRY_MILLIS = 2_000;
  private static final String PROBLEM = "application/problem+json";

  // Not among the constants of HTTP servlets.
  private static final int TOO_LARGE = 413;
  private static final int MISDIRECTED = 421;

  private JsonReplies() {}

  /** A document that is written part by part, so that a large one is never in memory as a whole. */
  @FunctionalInterface
  public interface Document {
    /** Writes all of it. */
    void write(JsonGenerator out) throws IOException;
  }

  /** A problem document (RFC 9457). {@code message} is the former name of {@code detail}. */
  public record Problem(
      String type, String title, int status, String detail, String code, String message) {}

  /** Sends a document, a record or map, that must not be cached. */
  public static void send(HttpServletResponse response, Object document) throws IOException {
    send(response, document, "no-store");
  }

  /** Sends a document with a {@code Cache-Control} header. */
  public static void send(HttpServletResponse response, Object document, String caching) throws IOException {
    stream(response, out -> out.writePOJO(document), caching);
  }

  /**
   * Sends a document that must not be cached, as it is written.
   *
   * @throws RnsException what {@code document} throws: then the response has a part of it
   */
  public static void stream(HttpServletResponse response, Document document) throws IOException {
    stream(response, document, "no-store");
  }

  private static void stream(HttpServletResponse response, Document document, String caching) throws IOException {
    response.setHeader("Cache-Control", caching);
    if (response.getContentType() == null) {
      response.setContentType("application/json");
      response.setCharacterEncoding("UTF-8");
    }
    JsonGenerator out = ServerJson.MAPPER.createGenerator(response.getOutputStream());
    document.write(out);
    // Not closed if that fails: what still waits in it must not follow.
    out.close();
  }

  /** Makes the answer a problem document with the status of an error; the caller sends it. */
  public static Problem refuse(HttpServletResponse response, RnsException error) {
    return refuse(response, error, status(error.error()));
  }

  /** The same with another status than the error usually has. */
  public static Problem refuse(HttpServletResponse response, RnsException error, int status) {
    if (error.error().kind() == RnsError.Kind.TRANSIENT) {
      long millis = error.retryMillis().orElse(RETRY_MILLIS);
      response.setHeader("Retry-After", Long.toString(Math.ceilDiv(millis, 1_000)));
    }
    return problem(response, error.error(), String.valueOf(error.getMessage()), status);
  }

  /** Makes the answer the problem document of a request that the primary has to answer; the caller sends it. */
  public static Problem refer(HttpServletResponse response, Answer.Referred<?> referred, int status) {
    return problem(response, Answer.Referred.ERROR, referred.reason(), status);
  }

  private static Problem problem(HttpServletResponse response, RnsError error, String message, int status) {
    RequestAudit.noteError(error);
    response.setStatus(status);
    Challenge.addTo(response, status);
    response.setContentType(PROBLEM);
    return new Problem("about:blank", title(status), status, message, error.name(), message);
  }

  /** The phrase of a status, as the type {@code about:blank} wants it. */
  private static String title(int status) {
    return switch (status) {
      case HttpServletResponse.SC_TEMPORARY_REDIRECT -> "Temporary Redirect";
      case HttpServletResponse.SC_BAD_REQUEST -> "Bad Request";
      case HttpServletResponse.SC_UNAUTHORIZED -> "Unauthorized";
      case HttpServletResponse.SC_FORBIDDEN -> "Forbidden";
      case HttpServletResponse.SC_NOT_FOUND -> "Not Found";
      case HttpServletResponse.SC_METHOD_NOT_ALLOWED -> "Method Not Allowed";
      case HttpServletResponse.SC_CONFLICT -> "Conflict";
      case HttpServletResponse.SC_GONE -> "Gone";
      case HttpServletResponse.SC_PRECONDITION_FAILED -> "Precondition Failed";
      case TOO_LARGE -> "Content Too Large";
      case MISDIRECTED -> "Misdirected Request";
      case HttpServletResponse.SC_SERVICE_UNAVAILABLE -> "Service Unavailable";
      case HttpServletResponse.SC_NOT_IMPLEMENTED -> "Not Implemented";
      case HttpServletResponse.SC_INTERNAL_SERVER_ERROR -> "Internal Server Error";
      default -> "Status " + status;
    };
  }

  /** The HTTP status of an error. */
  public static int status(RnsError error) {
    return switch (error) {
      case NO_SUCH_ENTRY, NO_SUCH_POOL -> HttpServletResponse.SC_NOT_FOUND;
      case ENTRY_EXISTS,
          NOT_DIRECTORY,
          IS_DIRECTORY,
          NOT_EMPTY,
          MOVE_INTO_SELF,
          ROOT_IS_FIXED,
          REQUEST_ID_REUSED,
          OTHER_POLICY,
          ELEMENT_ID_TAKEN ->
        HttpServletResponse.SC_CONFLICT;
      case VERSION_MISMATCH -> HttpServletResponse.SC_PRECONDITION_FAILED;
      case NOT_PERMITTED -> HttpServletResponse.SC_FORBIDDEN;
      case NOT_AUTHENTICATED -> HttpServletResponse.SC_UNAUTHORIZED;
      case LIMIT_EXCEEDED -> TOO_LARGE;
      default ->
        switch (error.kind()) {
          case CALLER -> HttpServletResponse.SC_BAD_REQUEST;
          case ELSEWHERE, TRANSIENT -> HttpServletResponse.SC_SERVICE_UNAVAILABLE;
          case BUG -> HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
        };
    };
  }
}
