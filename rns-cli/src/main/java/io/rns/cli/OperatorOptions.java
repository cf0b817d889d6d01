package io.rns.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that locate the operators' secret. */
final class OperatorOptions {
  @Option(names = "--secret-file", paramLabel = "FILE", description = "File with the operators' secret; default: $RNS_GROUP_SECRET, or the data directory's")
  @Nullable Path secretFile;

  @Option(names = "--data", paramLabel = "DIR", description = "Data directory of a service on this machine; default: $RNS_DATA, or ~/.rns")
  @Nullable Path data;
}
