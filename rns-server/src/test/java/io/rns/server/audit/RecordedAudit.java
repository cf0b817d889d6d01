package io.rns.server.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rns.api.Caller;
import io.rns.audit.AuditFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** An audit log for requests that come through no filter. */
public final class RecordedAudit implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int OK = 200;

  private final Path directory;
  private final AuditLog log;

  /** A log in a directory that it makes. */
  public RecordedAudit(boolean reads) throws IOException {
    this.directory = Files.createTempDirectory("rns-audit-");
    this.log =
        AuditLog.start(new AuditSettings(directory, reads, 64 << 20, 4, false, "s"), "x", InstantSource.system());
  }

  /** For what takes requests itself. */
  public AuditLog log() {
    return log;
  }

  /**
   * Does what a request asks for.
   *
   * @param tag stands for the address of the client
   */
  public <T> T during(String tag, Caller caller, Supplier<T> work) {
    RequestAudit audit = new RequestAudit(log, 0, tag, "soap", "POST /services/rns");
    audit.bind();
    try {
      RequestAudit.noteCaller(caller, "Basic x");
      return work.get();
    } finally {
      RequestAudit.unbind();
      audit.end(OK);
    }
  }

  /** Closes it, and returns its lines about requests by their tags. */
  public Map<String, List<JsonNode>> lines() {
    log.close();
    try {
      Map<String, List<JsonNode>> lines = new TreeMap<>();
      for (Path file : AuditFiles.in(directory)) {
        for (String line : Files.readAllLines(file)) {
          JsonNode node = JSON.readTree(line);
          if (node.path("event").asText().equals("request")) {
            lines.computeIfAbsent(node.path("client").asText(), tag -> new ArrayList<>()).add(node);
          }
        }
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    log.close();
    for (Path file : AuditFiles.in(directory)) {
      Files.delete(file);
    }
    Files.delete(directory.resolve("audit.lock"));
    Files.delete(directory);
  }
}
