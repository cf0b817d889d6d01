package io.rns.cli;

import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Precondition;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "rm", header = "Remove junctions and directories.", description = "With -r a directory disappears with its subtree at once, whatever its size; the server reclaims the space"
    + " afterwards in small steps.", footerHeading = "%nExamples:%n", footer = {"  rns rm /demo/soap",
        "  rns rm -r /demo/mirrors /archive"})
final class RmCommand extends ServiceCommand {
  @Option(names = {"-r",
      "--recursive"}, description = "Remove directories that have entries too") private boolean recursive;

  @Option(names = "--if-version", paramLabel = "N", description = "Refuse unless the entry has this version; for one PATH") private @Nullable Long ifVersion;

  @Parameters(paramLabel = "PATH", arity = "1..*", converter = PathConverter.class, description = "Entries to remove") private List<RnsPath> paths =
      List.of();

  @Override
  int run(NameService service, Output output) throws IOException {
    if (ifVersion != null && paths.size() > 1) {
      throw usage("--if-version takes one PATH only");
    }
    Precondition precondition = ifVersion == null ? Precondition.NONE : Precondition.ifVersion(ifVersion);
    PathResults results = new PathResults(output);
    long done = 0;
    try (Progress progress = output.progress(paths.size())) {
      for (List<RnsPath> some : PathResults.batches(paths)) {
        List<Removal> removals = new ArrayList<>();
        some.forEach(path -> removals.add(new Removal(Target.of(path), recursive, precondition)));
        List<Outcome<Entry>> outcomes =
            service.remove(CallContext.ANONYMOUS, new RemoveRequest(removals, false)).value();
        for (int i = 0; i < some.size(); i++) {
          results.add(some.get(i), outcomes.get(i));
        }
        done += some.size();
        progress.show(done, done);
      }
    }
    return results.finish();
  }
}
