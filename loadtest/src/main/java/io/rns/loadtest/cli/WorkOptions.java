package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.LoadtestCommand.require;

import io.rns.api.Consistency;
import io.rns.error.RnsException;
import io.rns.loadtest.load.Work;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.Mix;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class WorkOptions {
  @Option(names = "--mix", paramLabel = "PARTS", description = {
      "Percentages of operations, for --op mix: such as query=90,list=5,add=rest, of query, list, add, mkdir, update, "
          + "move, remove and watch; or hdfs, which is list=47,query=42,add=3,mkdir=3,move=2,remove=1,watch=rest "
          + "(default: hdfs).",
      "Clients change only entries that they added themselves."
  })
  @Nullable String mix;

  @Option(names = "--paths", paramLabel = "N", defaultValue = "10000", description = "Number of different paths to look up (default: ${DEFAULT-VALUE}).") private int paths;

  @Option(names = "--depth", paramLabel = "N", defaultValue = "4", description = "Number of names in these paths (default: ${DEFAULT-VALUE}).") private int depth;

  @Option(names = "--fan-out", paramLabel = "N", defaultValue = "100", description = "Number of entries per directory of these paths (default: ${DEFAULT-VALUE}).") private int fanOut;

  @Option(names = "--keys", paramLabel = "CHOICE", defaultValue = "uniform", description = "Distribution of requests over paths: uniform; zipf or zipf:EXPONENT (0.99), skewed; hot or hot:SHARE (0.9), a share of "
      + "all requests in one directory (default: ${DEFAULT-VALUE}).") private String keys;

  @Option(names = "--epr-bytes", paramLabel = "N", defaultValue = "0", description = "Minimum size of endpoint references; 0: an address only (default: ${DEFAULT-VALUE}). "
      + "References of --op add and add-batch stay short.") private int referenceBytes;

  @Option(names = "--consistency", paramLabel = "LEVEL", defaultValue = "session", description = "With --mix or --via client: read consistency: primary, session, bounded(500ms), any "
      + "(default: ${DEFAULT-VALUE}).") private String consistency = "";

  Consistency consistency() {
    return read("--consistency", consistency, Consistency::parse);
  }

  Work work() {
    require("--paths " + paths, paths >= 1 && paths <= 1_000_000, "1 to 1000000");
    require("--depth " + depth, depth >= 3 && depth <= 64, "3 to 64");
    require("--fan-out " + fanOut, fanOut >= 1 && fanOut <= 1_000_000, "1 to 1000000");
    require("--epr-bytes " + referenceBytes, referenceBytes >= 0 && referenceBytes <= 60_000, "0 to 60000");
    return new Work(
        read("--mix", mix == null ? Mix.HDFS : mix, Mix::parse), paths, depth, fanOut,
        read("--keys", keys, Keys::parse), referenceBytes, consistency());
  }

  private static <T> T read(String option, String value, Function<String, T> reader) {
    try {
      return reader.apply(value);
    } catch (IllegalArgumentException | RnsException e) {
      throw new LoadtestCommand.InvalidOptionException(option + ": " + e.getMessage());
    }
  }
}
