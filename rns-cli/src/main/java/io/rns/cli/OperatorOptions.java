package io.rns.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that locates the operators' secret; a data directory has it, too. */
final class OperatorOptions {
  @Option(names = "--secret-file", paramLabel = "FILE", description = "File with the operators' secret; default: $RNS_GROUP_SECRET, or the data directory's")
  @Nullable Path secretFile;
}
