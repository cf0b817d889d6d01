package io.rns.loadtest.peer;

import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.launcher.Launcher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds programs of Debian.
 *
 * @param script that unpacks Debian's package of a program and prints where it is, {@code docker/peer-debian.sh};
 *        without it there are none
 */
public record Programs(Optional<Path> script) {
  private static final Duration LONGEST_DOWNLOAD = Duration.ofMinutes(10);

  /** A program, whose files are below the root as they would be below {@code /}. */
  record Program(Path root, String version) {
    List<String> command(String... arguments) {
      List<String> command = new ArrayList<>(List.of(root.resolve("run").toString()));
      command.addAll(List.of(arguments));
      return command;
    }
  }

  /** Unpacks a program if it is not there yet. */
  Program find(String name) throws InterruptedException {
    Path found =
        script.filter(Files::isExecutable).orElseThrow(() -> PeerService.missing("nothing here can fetch " + name));
    Launcher.Ended ended = new Launcher(found).run(List.of(name), Map.of(), LONGEST_DOWNLOAD);
    if (ended.code() != 0) {
      throw PeerService.missing(ended.lastWords());
    }
    Path root = Path.of(ended.out().strip());
    return Io.get("the version of " + name + " in " + root + " is unknown",
        () -> new Program(root, Files.readString(root.resolve("VERSION")).strip()));
  }
}
