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

/** What {@code rns --version} prints. It never fails for a server that does not answer. */
final class ServerVersions {
  private static final int BOUND_MILLIS = 1_000;

  private final RnsCommand rns;

  ServerVersions(RnsCommand rns) {
    this.rns = rns;
  }

  /** A server, and its version if it has answered. */
  private record Asked(@Nullable URI server, @Nullable String version) {}

  /**
   * The lines, or one document.
   *
   * @param own the version of the client
   */
  String[] lines(String own) {
    Asked asked;
    String none = "no answer";
    try {
      asked = first(rns.servers(null));
    } catch (TypeConversionException | UncheckedIOException e) {
      asked = new Asked(null, null);
      none = String.valueOf(e.getMessage());
    }
    if (rns.isJson()) {
      return new String[]{document(own, asked)};
    }
    String server = asked.server() == null ? "server: " : "server " + asked.server() + ": ";
    return new String[]{"rns " + own, server + (asked.version() == null ? none : asked.version())};
  }

  /** The first server that answers; without a version the first of all. */
  private static Asked first(List<URI> servers) {
    Asked none = new Asked(servers.get(0), null);
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

  private static Optional<Asked> ask(List<URI> servers, int millis) {
    for (URI server : servers) {
      try {
        String version = ServerDocument.get(server, "/status", Math.max(1, millis)).orThrow().json().field("version");
        return Optional.of(new Asked(server, version.isEmpty() ? "version unknown" : version));
      } catch (RnsException e) {
        // Said by the absence of an answer; the next one may answer.
      }
    }
    return Optional.empty();
  }

  private static String document(String own, Asked asked) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      JsonDocument document = new JsonDocument(new PrintStream(text, false, StandardCharsets.UTF_8));
      document.generator().writeStringField("version", own);
      document.generator().writeStringField("server", asked.server() == null ? null : asked.server().toString());
      document.generator().writeStringField("serverVersion", asked.version());
      document.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString(StandardCharsets.UTF_8).strip();
  }
}
