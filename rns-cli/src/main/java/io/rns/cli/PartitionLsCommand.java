package io.rns.cli;

import io.rns.api.NameService;
import java.io.IOException;
import picocli.CommandLine.Command;

@Command(name = "ls", header = "List the partitions and the groups that own them.", description = "GROUP owns PATH and everything below it, up to other listed paths. EPOCH counts assignments. STATE is 'serving',"
    + " 'read-only' (the group has no primary), or 'unreachable'.", footerHeading = "%nExamples:%n", footer = {
        "  rns partition ls", "  rns partition ls --json"})
final class PartitionLsCommand extends ServiceCommand {
  @Override
  int run(NameService service, Output output) throws IOException {
    PartitionList partitions = PartitionList.of(servers(), rns().trust(), credentials());
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
