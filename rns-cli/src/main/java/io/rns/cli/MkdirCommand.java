package io.rns.cli;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "mkdir", header = "Create directories.", footerHeading = "%nExamples:%n", footer = {
    "  rns mkdir /projects", "  rns mkdir -p /projects/2026/alpha /projects/2026/beta"})
final class MkdirCommand extends ServiceCommand {
  @Option(names = {"-p",
      "--parents"}, description = "Create missing parent directories; no error if a directory exists") private boolean parents;

  @Parameters(paramLabel = "PATH", arity = "1..*", converter = PathConverter.class, description = "Directories to create") private List<RnsPath> paths =
      List.of();

  @Override
  int run(NameService service, Output output) throws IOException {
    PathResults results = new PathResults(output);
    for (List<RnsPath> some : PathResults.batches(paths)) {
      List<NewEntry> entries = new ArrayList<>();
      some.stream().filter(path -> !path.isRoot()).forEach(path -> entries.add(NewEntry.directory(Target.of(path))));
      List<Outcome<Entry>> outcomes =
          entries.isEmpty()
              ? List.of()
              : service.add(CallContext.ANONYMOUS, new AddRequest(entries, parents, false)).value();
      for (int i = 0, next = 0; i < some.size(); i++) {
        RnsPath path = some.get(i);
        results.add(path, path.isRoot() ? root(service) : settled(service, path, outcomes.get(next++)));
      }
    }
    return results.finish();
  }

  /** The root exists, so creating it has the outcome of any existing directory. */
  private Outcome<Entry> root(NameService service) {
    Target root = Target.ROOT;
    return parents ? outcome(service, RnsPath.ROOT) : Outcome.refused(new Refusal.EntryExists(root, root));
  }

  private Outcome<Entry> settled(NameService service, RnsPath path, Outcome<Entry> outcome) {
    boolean exists =
        outcome instanceof Outcome.Refused<Entry> refused && refused.refusal() instanceof Refusal.EntryExists;
    if (parents && exists) {
      Outcome<Entry> existing = outcome(service, path);
      if (existing instanceof Outcome.Done<Entry> done && done.value() instanceof VirtualDirectory) {
        return existing;
      }
    }
    return outcome;
  }
}
