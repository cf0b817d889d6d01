package io.rns.server.backup;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.operator.OperatorKey;
import io.rns.operator.Signature;
import io.rns.permission.AccessReader;
import io.rns.server.http.Callers;
import io.rns.server.http.ArrivingBody;
import io.rns.server.http.Incidents;
import io.rns.server.http.JsonReplies;
import io.rns.server.http.ResourceServlet;
import io.rns.server.http.ServerJson;
import io.rns.server.http.Traffic;
import io.rns.server.operator.OperatorGate;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Backups over HTTP, for operators and callers who may operate the service: GET makes one, PUT restores one
 * ({@code ?force=true}: over what there is). Both pass through a temporary file of the server, so that what is signed
 * is checked as a whole before anything is done or sent, and no client holds up the database. One at a time.
 */
public final class BackupServlet extends ResourceServlet {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(BackupServlet.class);
  private static final Duration MOST_ARRIVING = Duration.ofHours(6);

  private final transient Supplier<@Nullable Backups> backups;
  private final transient Supplier<@Nullable AccessReader> access;
  private final transient OperatorGate gate;
  private final transient Traffic traffic;
  private final transient Semaphore one = new Semaphore(1);

  /**
   * A servlet for asynchronous use.
   *
   * @param backups null while the server starts
   * @param access what callers may do; null while the server starts
   * @param traffic bounds slow clients
   */
  public BackupServlet(
      Supplier<@Nullable Backups> backups, Supplier<@Nullable AccessReader> access, OperatorGate gate,
      Traffic traffic) {
    super("GET", "PUT");
    this.access = access;
    this.backups = backups;
    this.gate = gate;
    this.traffic = traffic;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    traffic.postpone("backup", request, response, paced -> answer(request, paced, this::make), () -> {});
  }

  @Override
  protected void doPut(HttpServletRequest request, HttpServletResponse response) {
    traffic.postpone("restore", request, response, paced -> answer(request, paced, this::restore), () -> {});
  }

  /** What is done with a temporary file for a request that is signed, or of a caller who need not sign. */
  private interface Action {
    void run(
        Backups server, Path file, @Nullable Signature signature, HttpServletRequest request,
        HttpServletResponse response)
        throws IOException;
  }

  private void answer(HttpServletRequest request, HttpServletResponse response, Action action) throws IOException {
    response.setHeader("Cache-Control", "no-store");
    Signature signature = null;
    boolean mine = false;
    Path file = null;
    try {
      if (!mayOperate(request)) {
        signature = gate.signature(request);
        gate.take(signature, request);
      }
      Backups server = backups.get();
      if (server == null) {
        throw new RnsException(RnsError.UNAVAILABLE, "the server is starting");
      }
      mine = one.tryAcquire();
      if (!mine) {
        throw new RnsException(RnsError.BUSY, "another backup or restore is running; only one runs at a time");
      }
      file = Files.createTempFile("rns-backup-", ".gz");
      action.run(server, file, signature, request, response);
    } catch (RuntimeException e) {
      RnsException told = Incidents.told(e);
      LOG.warn("{} {}: {}", request.getMethod(), request.getRequestURI(), told.getMessage());
      // What is left of a body is not worth reading.
      response.setHeader("Connection", "close");
      gate.send(response, signature, ServerJson.MAPPER.writeValueAsBytes(JsonReplies.refuse(response, told)));
    } finally {
      if (file != null) {
        Files.deleteIfExists(file);
      }
      if (mine) {
        one.release();
      }
    }
  }

  private boolean mayOperate(HttpServletRequest request) {
    AccessReader reader = access.get();
    return !OperatorGate.isSigned(request) && reader != null && reader.admitsOperator(Callers.of(request));
  }

  private void make(
      Backups server, Path file, @Nullable Signature signature, HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    server.make(file);
    String digest = digest(file);
    response.setContentType("application/gzip");
    gate.sign(response, signature, digest);
    response.setContentLengthLong(Files.size(file));
    OutputStream unused = copy(file, response.getOutputStream());
  }

  private record RestoredJson(long entries, Position from, Position position) {}

  private void restore(
      Backups server, Path file, @Nullable Signature signature, HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    boolean force = "true".equals(request.getParameter("force"));
    byte[] digest;
    try (DigestOutputStream to = new DigestOutputStream(Files.newOutputStream(file), OperatorKey.sha256());
        InputStream body = new ArrivingBody(request, MOST_ARRIVING)) {
      long unused = body.transferTo(to);
      digest = to.getMessageDigest().digest();
    }
    Callers.checkBody(request, digest);
    if (signature != null) {
      OperatorGate.checkBody(signature, OperatorKey.hex(digest));
    }
    Backups.Restored restored = server.restore(file, force);
    RestoredJson told = new RestoredJson(restored.entries(), restored.from(), restored.position());
    response.setContentType("application/json");
    gate.send(response, signature, ServerJson.MAPPER.writeValueAsBytes(told));
  }

  private static String digest(Path file) throws IOException {
    return OperatorKey.hex(copy(file, new DigestOutputStream(OutputStream.nullOutputStream(), OperatorKey.sha256()))
        .getMessageDigest().digest());
  }

  private static <O extends OutputStream> O copy(Path file, O to) throws IOException {
    long unused = Files.copy(file, to);
    return to;
  }
}
