package io.rns.server.audit;

import io.rns.error.RnsError;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Set;

/**
 * In front of everything: begins the audit of each request, and ends it if it is answered here; one that goes on by
 * another thread is ended there.
 */
public final class AuditFilter extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
  /** Faces whose changes are administration. */
  private static final Set<String> ADMINISTRATION = Set.of("group", "partitions", "backup", "tickets");
  /** Faces whose changes are told by the method. */
  private static final Set<String> ENTRIES = Set.of("names", "pools");
  /** What servers ask each other all the time, or about the state of a server. */
  private static final Set<String> QUIET =
      Set.of("front", "group", "health", "status", "metrics", "servers", "home", "wsdl");
  /** Steps that servers take by themselves, of what is recorded when it begins. */
  private static final Set<String> STEPS = Set.of("/report", "/content", "/owner", "/replay");

  private final transient AuditLog log;
  private final transient InstantSource clock;

  /** A filter for all paths. */
  public AuditFilter(AuditLog log, InstantSource clock) {
    this.log = log;
    this.clock = clock;
  }

  @Override
  protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    RequestAudit audit = begin(request);
    audit.keep(request);
    audit.bind();
    try {
      chain.doFilter(request, response);
    } catch (IOException | ServletException | RuntimeException e) {
      RequestAudit.noteError(RnsError.INTERNAL);
      throw e;
    } finally {
      RequestAudit.unbind();
      if (!request.isAsyncStarted()) {
        audit.end(response.getStatus());
      }
    }
  }

  private RequestAudit begin(HttpServletRequest request) {
    String path = request.getServletPath();
    String below = request.getPathInfo() == null ? "" : request.getPathInfo();
    String face = face(path);
    String method = request.getMethod();
    boolean isEntry = ENTRIES.contains(face);
    // The rest of the path is an entry's, which is noted as such.
    RequestAudit audit =
        new RequestAudit(
            log, clock.millis(), request.getRemoteAddr(), face, method + " " + path + (isEntry ? "" : below));
    boolean isRead = READING.contains(method);
    boolean isBackup = face.equals("backup");
    if (ADMINISTRATION.contains(face) && (isBackup || (!isRead && !STEPS.contains(below)))) {
      String query = request.getQueryString();
      audit.noteAdministration(query == null ? "" : query);
    } else if (isEntry && !isRead && !method.equals("POST")) {
      audit.noteChange();
    } else if (QUIET.contains(face)) {
      audit.noteQuiet();
    }
    return audit;
  }

  private static String face(String path) {
    if (path.startsWith("/services")) {
      return "soap";
    }
    int end = path.indexOf('/', 1);
    String first = path.isEmpty() ? "" : path.substring(1, end < 0 ? path.length() : end);
    return first.isEmpty() ? "home" : first;
  }
}
