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
 * Where a command runs.
 *
 * @param in the standard input
 * @param out the standard output, buffered: to be flushed
 * @param err the standard error
 * @param environment the environment variables
 * @param interactiveOut whether a person watches the output
 * @param interactiveErr whether a person watches the standard error
 * @param nanos passing time
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

  /** That of this process. Text is UTF-8 whatever the locale: names are. */
  static Terminal ofProcess() {
    PrintStream out =
        new PrintStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_BYTES),
            false,
            StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    return new Terminal(System.in, out, err, System.getenv(), isTerminal(1), isTerminal(2), System::nanoTime);
  }

  /** Whether colours are wanted: by a person, who has not said no by {@code NO_COLOR}, on a terminal that has them. */
  boolean isColoured() {
    return interactiveOut && takesSequences() && environment.getOrDefault("NO_COLOR", "").isEmpty();
  }

  /** Whether a person watches the standard error on a terminal where a line can be drawn again. */
  boolean isDrawable() {
    return interactiveErr && takesSequences();
  }

  /** Whether control sequences are understood: not by a terminal that calls itself dumb, or nothing at all. */
  private boolean takesSequences() {
    String kind = environment.getOrDefault("TERM", "");
    return !kind.isEmpty() && !kind.equals("dumb");
  }

  /** What a file descriptor is, Java does not tell; Linux does. Elsewhere nobody is taken to watch. */
  private static boolean isTerminal(int descriptor) {
    try {
      String file = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty") || file.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
