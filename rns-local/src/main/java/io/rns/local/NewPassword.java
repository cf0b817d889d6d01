package io.rns.local;

import io.rns.client.CredentialFile;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a new password is from: the terminal, a file, or chance. */
final class NewPassword {
  private static final int LEAST_CHARACTERS = 8;
  private static final int MOST_CHARACTERS = 256;

  @Option(names = "--password-file", paramLabel = "FILE", description = "File with the password, one line (default: ask the terminal).") private @Nullable Path file;

  @Option(names = "--generate", description = "Make a password, and print it once.") private boolean generate;

  /** Whether it has to be printed. */
  boolean isGenerated() {
    return generate;
  }

  /**
   * The password.
   *
   * @throws LocalServiceException if it cannot be read
   * @throws IllegalArgumentException if it is not allowed, or there is no way to get it
   */
  String get(String account) {
    if (generate && file != null) {
      throw new IllegalArgumentException("--generate and --password-file exclude each other");
    }
    if (generate) {
      return DataDirectory.randomPassword();
    }
    String password = file == null ? ofTerminal(account) : ofFile(file);
    if (password.length() < LEAST_CHARACTERS || password.length() > MOST_CHARACTERS
        || password.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "a password has " + LEAST_CHARACTERS + " to " + MOST_CHARACTERS + " characters, no control characters");
    }
    return password;
  }

  private static String ofFile(Path file) {
    try {
      return CredentialFile.read(file);
    } catch (IOException e) {
      throw new LocalServiceException("the password cannot be read: " + e.getMessage(), e);
    }
  }

  /** The launcher selects Java's own console, which there is none of without a terminal. */
  @SuppressWarnings("SystemConsoleNull")
  private static String ofTerminal(String account) {
    Console console = System.console();
    if (console == null) {
      throw new IllegalArgumentException("there is no terminal: give --password-file or --generate");
    }
    char[] first = console.readPassword("Password of %s: ", account);
    char[] second = first == null ? null : console.readPassword("Once more: ");
    if (first == null || second == null) {
      throw new LocalServiceException("no password");
    }
    if (!Arrays.equals(first, second)) {
      throw new IllegalArgumentException("the two passwords differ");
    }
    // What clients read from files has no space around it either.
    return new String(first).strip();
  }
}
