package io.rns.loadtest.chapter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A script in the place of {@code ./rns}: it writes down how it was called, and prints documents as services and
 * measurements do.
 *
 * @param script the launcher
 * @param calls where it writes down each call: the server and the database port that the environment names, and the
 *        arguments
 */
record FakeLauncher(Path script, Path calls) {
  private static final String TEXT =
      """
      #!/bin/sh
      echo "${RNS_SERVER:-none} ${RNS_DNS_PORT:-none} $*" >> 'CALLS'
      case "$*" in
        up*--replicas*) echo '{"members": [{"url": "http://p/rns"}, {"url": "http://r/rns"}], "databasePassword": "secret"}' ;;
        up*) mkdir -p "$RNS_DATA/files"; echo '{"url": "http://one/rns", "databasePassword": "secret"}' ;;
        down*) ;;
        status*) echo '{"members": [{"pools": {"asap": "127.0.0.1:3863"}}]}' ;;
        *broken*) echo 'rns load: no such service' >&2; exit 3 ;;
        *late*) echo '{"errors": 2}'; exit 1 ;;
        *stopped*) exit 130 ;;
        *) echo '{"throughput": 5.123456789, "errors": 0}' ;;
      esac
      """;

  /** Makes one. */
  static FakeLauncher in(Path directory) throws IOException {
    Path calls = directory.resolve("calls");
    Path script = Files.writeString(directory.resolve("rns"), TEXT.replace("CALLS", calls.toString()));
    if (!script.toFile().setExecutable(true)) {
      throw new IOException(script + " cannot be made executable");
    }
    return new FakeLauncher(script, calls);
  }

  List<String> called() throws IOException {
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }
}
