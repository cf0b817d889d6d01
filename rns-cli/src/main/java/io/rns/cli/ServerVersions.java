package io.rns.cli;

import io.rns.error.RnsException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** What {@code rns --version} prints. It succeeds even if no server answers. */
final class ServerVersions {
  private static final int BOUND_MILLIS = 1_000;

  private final RnsCommand rns;

  ServerVersions(RnsCommand rns) {
    this.rns = rns;
  }

  /** A server, and its version if it answered. */
  private record Reply(@Nullable URI server, @Nullable String version) {}

  /**
   * The lines, or one document.
   *
   * @param own the version of the client
   */
  String[] lines(String own) {
    Reply reply;
    String none = "no answer";
    try {
      reply = first(rns.servers());
    } catch (TypeConversionException | UncheckedIOException e) {
      reply = new Reply(null, null);
      none = String.valueOf(e.getMessage());
    }
    if (rns.isJson()) {
      return new String[]{document(own, reply)};
    }
    String server = reply.server() == null ? "server: " : "server " + reply.server() + ": ";
    return new String[]{"rns " + own, server + (reply.version() == null ? none : reply.version())};
  }

  /** The first server that answers; without a version the first of all. */
  private Reply first(List<URI> servers) {
    Reply none = new Reply(servers.get(0), null);
    try {
      return CompletableFuture.supplyAsync(() -> ask(servers, BOUND_MILLIS / servers.size()).orElse(none))
          .get(BOUND_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return none;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return none;
    }
  }

  private Optional<Reply> ask(List<URI> servers, int millis) {
    for (URI server : servers) {
      try {
        String version =
            ServerDocument.get(rns.trust(), server, "/status", Math.max(1, millis)).orThrow().json().field("version");
        return Optional.of(new Reply(server, version.isEmpty() ? "version unknown" : version));
      } catch (RnsException e) {
        // No answer reports this; the next server may answer.
      }
    }
    return Optional.empty();
  }

  private static String document(String own, Reply reply) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      JsonDocument document = new JsonDocument(new PrintStream(text, false, StandardCharsets.UTF_8), false);
      document.generator().writeStringField("version", own);
      document.generator().writeStringField("server", reply.server() == null ? null : reply.server().toString());
      document.generator().writeStringField("serverVersion", reply.version());
      document.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString(StandardCharsets.UTF_8).strip();
  }
}
