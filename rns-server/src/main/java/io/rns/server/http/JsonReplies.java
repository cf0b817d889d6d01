package io.rns.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.api.Answer;
import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers as JSON. */
public final class JsonReplies {
  /**
   * A document in parts is one write to the container, as long as it is small; one that breaks off is not made to look
   * whole.
   */
  private static final ObjectMapper JSON =
      JsonMapper.builder(JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_CONTENT).build())
          .disable(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
          .build();
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

  /** Sends a document that nobody may keep. */
  public static void send(HttpServletResponse response, ObjectNode document) throws IOException {
    send(response, document, "no-store");
  }

  /** Sends a document, and says how it may be kept ({@code Cache-Control}). */
  public static void send(HttpServletResponse response, ObjectNode document, String keeping) throws IOException {
    send(response, (Document) out -> out.writeTree(document), keeping);
  }

  /**
   * Sends a document that nobody may keep, as it is written.
   *
   * @throws RnsException what {@code document} throws: then the response has a part of it
   */
  public static void send(HttpServletResponse response, Document document) throws IOException {
    send(response, document, "no-store");
  }

  private static void send(HttpServletResponse response, Document document, String keeping) throws IOException {
    response.setHeader("Cache-Control", keeping);
    if (response.getContentType() == null) {
      response.setContentType("application/json");
      response.setCharacterEncoding("UTF-8");
    }
    JsonGenerator out = JSON.createGenerator(response.getOutputStream());
    document.write(out);
    // Not closed if that fails: what still waits in it must not follow.
    out.close();
  }

  /** Makes the answer a problem document (RFC 9457) with the status of an error; the caller sends it. */
  public static ObjectNode refuse(HttpServletResponse response, RnsException error) {
    return refuse(response, error, status(error.error()));
  }

  /** The same with another status than the error usually has. */
  public static ObjectNode refuse(HttpServletResponse response, RnsException error, int status) {
    if (error.error().kind() == RnsError.Kind.TRANSIENT) {
      long millis = error.retryMillis().orElse(RETRY_MILLIS);
      response.setHeader("Retry-After", Long.toString(Math.ceilDiv(millis, 1_000)));
    }
    return problem(response, error.error(), String.valueOf(error.getMessage()), status);
  }

  /** Makes the answer the problem document of a request that the primary has to answer; the caller sends it. */
  public static ObjectNode refer(HttpServletResponse response, Answer.Referred<?> referred, int status) {
    return problem(response, Answer.Referred.ERROR, referred.reason(), status);
  }

  private static ObjectNode problem(HttpServletResponse response, RnsError error, String message, int status) {
    response.setStatus(status);
    response.setContentType(PROBLEM);
    ObjectNode problem =
        JSON.createObjectNode().put("type", "about:blank").put("title", title(status)).put("status", status);
    return problem
        .put("detail", message)
        .put("code", error.name())
        // What detail was called before.
        .put("message", message);
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
      case LIMIT_EXCEEDED -> TOO_LARGE;
      default ->
        switch (error.kind()) {
          case CALLER -> HttpServletResponse.SC_BAD_REQUEST;
          case ELSEWHERE, TRANSIENT -> HttpServletResponse.SC_SERVICE_UNAVAILABLE;
          case BUG -> HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
        };
    };
  }

  /** The servers that a client may choose among: what {@code x:Servers} tells in answers of SOAP. */
  public static ObjectNode servers(Referral referral) {
    ObjectNode document = JSON.createObjectNode();
    document.put("prefix", referral.prefix().toString());
    document.put("epoch", referral.epoch());
    document.put("ttlMillis", referral.ttlMillis());
    ArrayNode servers = document.putArray("servers");
    for (Announcement server : referral.servers()) {
      ObjectNode told = servers.addObject();
      told.put("url", server.url()).put("name", server.name()).put("role", server.role().text());
      told.put("living", server.living()).put("site", server.site().text()).put("capacity", server.capacity());
      told.put("load", server.load()).put("lagMillis", server.lagMillis());
      told.put("position", server.position().map(Position::toString).orElse(null));
    }
    return document;
  }
}
