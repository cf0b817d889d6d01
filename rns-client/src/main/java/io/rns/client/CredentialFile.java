package io.rns.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

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
