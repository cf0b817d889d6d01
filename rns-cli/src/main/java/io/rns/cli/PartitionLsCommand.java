package io.rns.cli;

import io.rns.api.NameService;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "ls", header = "List the partitions and the groups that own them.", description = "GROUP owns PATH and everything below it, up to other listed paths. EPOCH counts assignments. STATE is 'serving',"
    + " 'read-only' (the group has no primary), or 'unreachable'.", footerHeading = "%nExamples:%n", footer = {
        "  rns partition ls", "  rns partition ls --json"})
final class PartitionLsCommand extends ServiceCommand {
  @Option(names = "--data", paramLabel = "DIR", description = "Data directory of a service on this machine; default: $RNS_DATA, or ~/.rns") private @Nullable Path data;

  @Override
  @Nullable
  Path data() {
    return data;
  }

  @Override
  int run(NameService service, Output output) throws IOException {
    PartitionList partitions = PartitionList.of(servers());
    if (output.isJson()) {
      partitions.writePartitions(output.json().generator());
      partitions.writeGroups(output.json().generator());
    } else {
      partitions.partitionLines().forEach(output::line);
      output.line("");
      partitions.groupLines().forEach(output::line);
    }
    return ExitCode.DONE;
  }
}
