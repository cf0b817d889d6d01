package io.rns.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The environment of a command: streams, variables, time.
 *
 * @param in the standard input
 * @param out the standard output, buffered: flush it
 * @param err the standard error
 * @param environment the environment variables
 * @param interactiveOut whether the standard output is a terminal
 * @param interactiveErr whether the standard error is a terminal
 * @param nanos a monotonic clock
 */
record Terminal(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    boolean interactiveOut,
    boolean interactiveErr,
    LongSupplier nanos) {

  private static final int BUFFER_BYTES = 16_384;

  /** The terminal of this process. Text is UTF-8 in every locale, as names are. */
  static Terminal ofProcess() {
    PrintStream out =
        new PrintStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_BYTES),
            false,
            StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    return new Terminal(System.in, out, err, System.getenv(), isTerminal(1), isTerminal(2), System::nanoTime);
  }

  /** The home directory of the user. */
  static Path home() {
    return Path.of(System.getProperty("user.home"));
  }

  /** The data directory of a service on this machine: {@code RNS_DATA}, or {@code ~/.rns}. */
  static Path usualData(Map<String, String> environment) {
    String named = environment.getOrDefault("RNS_DATA", "");
    return named.isBlank() ? home().resolve(".rns") : Path.of(named);
  }

  /** Prints an error message. */
  void complain(String message) {
    err.println("rns: " + (interactiveErr ? Printable.of(message, "\n", "\t") : message));
  }

  /** Whether to print colours: on a terminal that has them, without {@code NO_COLOR}. */
  boolean isColoured() {
    return interactiveOut && takesSequences() && environment.getOrDefault("NO_COLOR", "").isEmpty();
  }

  /** Whether the standard error is a terminal that can redraw a line. */
  boolean isDrawable() {
    return interactiveErr && takesSequences();
  }

  /** Whether the terminal supports control sequences: not if {@code TERM} is dumb or empty. */
  private boolean takesSequences() {
    String kind = environment.getOrDefault("TERM", "");
    return !kind.isEmpty() && !kind.equals("dumb");
  }

  /** Asks Linux, since Java has no test for terminals. Elsewhere the answer is no. */
  private static boolean isTerminal(int descriptor) {
    try {
      String file = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty") || file.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
