package io.rns.loadtest.cli;

import io.rns.api.Consistency;
import io.rns.error.RnsException;
import io.rns.loadtest.Work;
import io.rns.loadtest.work.Keys;
import io.rns.loadtest.work.Mix;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say what the requests of a load are about. */
final class WorkOptions {
  @Spec(Spec.Target.MIXEE) private CommandSpec spec = CommandSpec.create();

  @Option(names = "--mix", paramLabel = "PARTS", description = {
      "Operations in a proportion, as --op mix: parts of 100 like query=90,list=5,add=rest, of query, list, add, mkdir, update, "
          + "move, remove and watch; or hdfs, which is list=47,query=42,add=3,mkdir=3,move=2,remove=1,watch=rest "
          + "(default: hdfs).",
      "Clients change only what they have added themselves, first of all."
  }) private @Nullable String mix;

  @Option(names = "--paths", paramLabel = "N", defaultValue = "10000", description = "How many different paths to look up (default: ${DEFAULT-VALUE}).") private int paths;

  @Option(names = "--depth", paramLabel = "N", defaultValue = "4", description = "How many names a path to look up has (default: ${DEFAULT-VALUE}).") private int depth;

  @Option(names = "--fan-out", paramLabel = "N", defaultValue = "100", description = "How many entries a directory of these has (default: ${DEFAULT-VALUE}).") private int fanOut;

  @Option(names = "--keys", paramLabel = "CHOICE", defaultValue = "uniform", description = "Which paths are asked for: uniform; zipf or zipf:EXPONENT, some much more than others (0.99); hot or "
      + "hot:SHARE, a share of all requests in one directory (0.9) (default: ${DEFAULT-VALUE}).") private String keys =
          "";

  @Option(names = "--epr-bytes", paramLabel = "N", defaultValue = "0", description = "How long endpoint references are at least; 0: an address only (default: ${DEFAULT-VALUE}). "
      + "With --op add and add-batch what is added stays short.") private int referenceBytes;

  @Option(names = "--consistency", paramLabel = "LEVEL", defaultValue = "session", description = "With --mix or --via client: how much a read must see: primary, session, bounded(500ms), any "
      + "(default: ${DEFAULT-VALUE}).") private String consistency = "";

  /** The mix that was asked for. */
  Optional<String> mix() {
    return Optional.ofNullable(mix);
  }

  /** How much a read must see. */
  Consistency consistency() {
    return read("--consistency", consistency, Consistency::parse);
  }

  /**
   * What they say.
   *
   * @throws ParameterException if one cannot be read, or is not in its bounds
   */
  Work work() {
    require("--paths", paths, 1, 1_000_000);
    require("--depth", depth, 3, 64);
    require("--fan-out", fanOut, 1, 1_000_000);
    require("--epr-bytes", referenceBytes, 0, 60_000);
    return new Work(
        read("--mix", mix == null ? Mix.HDFS : mix, Mix::parse),
        paths,
        depth,
        fanOut,
        read("--keys", keys, Keys::parse),
        referenceBytes,
        consistency());
  }

  private void require(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(spec.commandLine(), option + " " + value + " must be " + least + " to " + most);
    }
  }

  private <T> T read(String option, String value, Function<String, T> reader) {
    try {
      return reader.apply(value);
    } catch (IllegalArgumentException | RnsException e) {
      throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
    }
  }
}
