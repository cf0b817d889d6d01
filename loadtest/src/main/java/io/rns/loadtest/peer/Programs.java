package io.rns.loadtest.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds programs of Debian.
 *
 * @param script that unpacks Debian's package of a program and prints where it is, {@code docker/peer-debian.sh};
 *        without it there are none
 */
public record Programs(Optional<Path> script) {
  /**
   * The directory in which the files of a program are, as they would be below {@code /}.
   *
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if there is none
   */
  Path root(String program) {
    Path found =
        script.filter(Files::isExecutable).orElseThrow(() -> Peer.missing("nothing here can fetch " + program));
    try {
      Process process = new ProcessBuilder(found.toString(), program).redirectErrorStream(true).start();
      String last = "";
      try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
          last = line;
        }
      } finally {
        process.destroy();
      }
      if (process.waitFor() != 0) {
        throw Peer.missing(last);
      }
      return Path.of(last);
    } catch (IOException e) {
      throw new UncheckedIOException("running " + found, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Peer.missing("stopped while fetching " + program, e);
    }
  }

  /** The version of what is in a directory that was given by {@link #root}. */
  static String version(Path root) {
    try {
      return Files.readString(root.resolve("VERSION")).strip();
    } catch (IOException e) {
      throw Peer.missing("it is not known what is in " + root, e);
    }
  }
}
