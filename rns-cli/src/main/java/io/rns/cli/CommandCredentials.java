package io.rns.cli;

import io.rns.client.CredentialSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the credential of a command. The first of these: a file with a token ({@code --token-file}); an account
 * ({@code RNS_USER}, {@code RNS_PASSWORD_FILE}); a token in {@code BEARER_TOKEN} or {@code BEARER_TOKEN_FILE}; the
 * administrator's in the data directory of a service on this machine, if the command is for that service only; a token
 * in {@code $XDG_RUNTIME_DIR/bt_u$UID} or {@code /tmp/bt_u$UID} (WLCG bearer token discovery).
 */
final class CommandCredentials {
  private static final int MOST_BYTES = 16_384;

  private final Map<String, String> environment;
  private final @Nullable Path tokenFile;

  CommandCredentials(Map<String, String> environment, @Nullable Path tokenFile) {
    this.environment = environment;
    this.tokenFile = tokenFile;
  }

  /**
   * The credential for some servers.
   *
   * @param data a data directory, or null for the usual one
   * @param onlyThese whether nothing else is asked
   * @throws UncheckedIOException if a file that was named cannot be read
   */
  CredentialSource of(List<URI> servers, @Nullable Path data, boolean onlyThese) {
    if (tokenFile != null) {
      return fromFile(tokenFile);
    }
    String user = variable("RNS_USER");
    if (!user.isEmpty()) {
      String file = variable("RNS_PASSWORD_FILE");
      if (file.isEmpty()) {
        throw new UncheckedIOException(new IOException("RNS_USER is set, but no RNS_PASSWORD_FILE"));
      }
      return fixed(basic(user + ":" + read(Path.of(file))));
    }
    if (!variable("BEARER_TOKEN").isEmpty()) {
      return fixed("Bearer " + variable("BEARER_TOKEN"));
    }
    if (!variable("BEARER_TOKEN_FILE").isEmpty()) {
      return fromFile(Path.of(variable("BEARER_TOKEN_FILE")));
    }
    return (onlyThese ? administrator(servers, data) : Optional.<CredentialSource>empty())
        .or(this::discovered)
        .orElse(CredentialSource.NONE);
  }

  private String variable(String name) {
    return environment.getOrDefault(name, "").strip();
  }

  private static CredentialSource fixed(String value) {
    return refused -> Optional.of(value);
  }

  /** Read for every request: whoever renews the token replaces the file. */
  private static CredentialSource fromFile(Path file) {
    String unused = read(file);
    return refused -> Optional.of("Bearer " + read(file));
  }

  private static String basic(String pair) {
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  /** The content of a file without spaces and line ends around it. */
  private static String read(Path file) {
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw new IOException("file '" + file + "' is no credential: it has more than " + MOST_BYTES + " bytes");
      }
      String text = Files.readString(file).strip();
      if (text.isEmpty() || text.chars().anyMatch(Character::isISOControl)) {
        throw new IOException("file '" + file + "' has no credential: one line of text");
      }
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The administrator's, if a service runs on the data directory, and all servers are of it. */
  private Optional<CredentialSource> administrator(List<URI> servers, @Nullable Path data) {
    Path directory = data == null ? usualData() : data;
    Path file = directory.resolve("administrator");
    if (!Files.isReadable(file)) {
      return Optional.empty();
    }
    try {
      List<String> running = RunFile.in(directory).servers().stream().map(CommandCredentials::plain).toList();
      boolean here = servers.stream().map(CommandCredentials::plain).allMatch(running::contains);
      return here ? Optional.of(fixed(basic(read(file)))) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path usualData() {
    String named = variable("RNS_DATA");
    return named.isEmpty() ? Terminal.home().resolve(".rns") : Path.of(named);
  }

  private static String plain(URI server) {
    return server.toString().replaceFirst("/+$", "");
  }

  private Optional<CredentialSource> discovered() {
    String runtime = variable("XDG_RUNTIME_DIR");
    return userId()
        .flatMap(
            id -> List.of(runtime.isEmpty() ? "/tmp" : runtime, "/tmp").stream()
                .map(directory -> Path.of(directory, "bt_u" + id))
                .filter(file -> isOwn(file, id))
                .findFirst())
        .map(CommandCredentials::fromFile);
  }

  private static Optional<Integer> userId() {
    return attribute(Path.of("/proc/self"));
  }

  /** Whether the user's: in /tmp anybody can put a file of that name. */
  private static boolean isOwn(Path file, int user) {
    return Files.isReadable(file) && attribute(file).filter(owner -> owner == user).isPresent();
  }

  private static Optional<Integer> attribute(Path file) {
    try {
      return Optional.of((Integer) Files.getAttribute(file, "unix:uid"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
