package io.rns.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A credential in a file of one line, read again at most once a second, and whenever a server refuses what it had: a
 * program that runs for days sends what another one has put there. Thread-safe.
 */
public final class CredentialFile implements CredentialSource {
  /** Largest file that is read, in bytes. */
  public static final int MOST_BYTES = 16_384;

  /** How long what was read is used without a look at the file. */
  static final Duration FRESH = Duration.ofSeconds(1);

  private final Path file;
  private final UnaryOperator<String> header;
  private final LongSupplier nanos;
  private volatile Known known;

  private record Known(String value, long atNanos) {}

  CredentialFile(Path file, UnaryOperator<String> header, LongSupplier nanos) {
    this.file = file;
    this.header = header;
    this.nanos = nanos;
    try {
      this.known = new Known(header.apply(read(file)), nanos.getAsLong());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A bearer token. A file that cannot be read later leaves the token that it had.
   *
   * @throws UncheckedIOException if it cannot be read now, or has no line of text
   */
  public static CredentialFile token(Path file) {
    return new CredentialFile(file, "Bearer "::concat, System::nanoTime);
  }

  /**
   * The password of a local account. A file that cannot be read later leaves the password that it had.
   *
   * @throws UncheckedIOException if it cannot be read now, or has no line of text
   */
  public static CredentialFile password(String account, Path file) {
    return new CredentialFile(file, password -> basic(account + ":" + password), System::nanoTime);
  }

  /**
   * The credential that a user has named. The first of these: a file with a token; an account ({@code RNS_USER}, with
   * its password in the file {@code RNS_PASSWORD_FILE}); a token in {@code BEARER_TOKEN} or in the file
   * {@code BEARER_TOKEN_FILE}.
   *
   * @param environment the environment variables
   * @param tokenFile a file with a token; null for none
   * @param tokens reads files with tokens, such as {@link #token}
   * @return empty if none was named
   * @throws UncheckedIOException if a file that was named cannot be read
   */
  public static Optional<CredentialSource> named(
      Map<String, String> environment, @Nullable Path tokenFile, Function<Path, CredentialSource> tokens) {
    if (tokenFile != null) {
      return Optional.of(tokens.apply(tokenFile));
    }
    String user = variable(environment, "RNS_USER");
    if (!user.isEmpty()) {
      String file = variable(environment, "RNS_PASSWORD_FILE");
      if (file.isEmpty()) {
        throw new UncheckedIOException(new IOException("RNS_USER is set, but no RNS_PASSWORD_FILE"));
      }
      return Optional.of(password(user, Path.of(file)));
    }
    String token = variable(environment, "BEARER_TOKEN");
    if (!token.isEmpty()) {
      return Optional.of(refused -> Optional.of("Bearer " + token));
    }
    String file = variable(environment, "BEARER_TOKEN_FILE");
    return file.isEmpty() ? Optional.empty() : Optional.of(tokens.apply(Path.of(file)));
  }

  private static String variable(Map<String, String> environment, String name) {
    return environment.getOrDefault(name, "").strip();
  }

  /**
   * An account in one line: its name, a colon, and its password. A file that cannot be read later leaves what it had.
   *
   * @throws UncheckedIOException if it cannot be read now, or has no line of text
   */
  public static CredentialFile account(Path file) {
    return new CredentialFile(file, CredentialFile::basic, System::nanoTime);
  }

  /** The header of an account and its password, with a colon between them. */
  public static String basic(String pair) {
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The line that a file has, without space around it.
   *
   * @throws IOException if it cannot be read, or has no line of text, or several; the message has nothing of it
   */
  public static String read(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException("file '" + file + "' is no credential: it has more than " + MOST_BYTES + " bytes");
    }
    String text = Files.readString(file).strip();
    if (text.isEmpty() || text.chars().anyMatch(Character::isISOControl)) {
      throw new IOException("file '" + file + "' has no credential: one line of text");
    }
    return text;
  }

  @Override
  public Optional<String> authorization(Optional<String> refused) {
    Known now = known;
    boolean stale = nanos.getAsLong() - now.atNanos() >= FRESH.toNanos();
    if (stale || refused.filter(now.value()::equals).isPresent()) {
      now = new Known(current(now), nanos.getAsLong());
      known = now;
    }
    return Optional.of(now.value());
  }

  private String current(Known before) {
    try {
      return header.apply(read(file));
    } catch (IOException e) {
      // Perhaps it is being replaced; a server says if the former one is good no more.
      return before.value();
    }
  }
}
