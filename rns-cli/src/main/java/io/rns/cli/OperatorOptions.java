package io.rns.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the secret of operators is found. */
final class OperatorOptions {
  @Option(names = "--secret-file", paramLabel = "FILE", description = "A file with the operators' secret; default: $RNS_GROUP_SECRET, or that of the data directory")
  @Nullable Path secretFile;

  @Option(names = "--data", paramLabel = "DIR", description = "Data directory of a service on this machine; default: $RNS_DATA, or ~/.rns")
  @Nullable Path data;
}
