package io.rns.cli;

import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Precondition;
import io.rns.api.QueryRequest;
import io.rns.api.Refusal;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage;
import io.rns.api.Target;
import io.rns.client.TreeWalk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "rm", header = "Remove junctions and directories.", description = "With -r a directory disappears with its subtree at once, whatever its size; the server reclaims the space"
    + " afterwards in small steps.", footerHeading = "%nExamples:%n", footer = {"  rns rm /demo/soap",
        "  rns rm -r /demo/mirrors /archive", "  rns rm -r --dry-run /demo"})
final class RmCommand extends ServiceCommand {
  @Option(names = {"-r",
      "--recursive"}, description = "Remove directories that have entries too") private boolean recursive;

  @Option(names = "--if-version", paramLabel = "N", description = "Refuse unless the entry has this version; for one PATH") private @Nullable Long ifVersion;

  @Option(names = "--dry-run", description = "Print the path of each entry that would be removed; remove nothing") private boolean dryRun;

  @Parameters(paramLabel = "PATH", arity = "1..*", converter = PathConverter.class, description = "Entries to remove") private List<RnsPath> paths =
      List.of();

  @Override
  int run(NameService service, Output output) throws IOException {
    if (ifVersion != null && paths.size() > 1) {
      throw usage("--if-version takes one PATH only");
    }
    Precondition precondition = ifVersion == null ? Precondition.NONE : Precondition.ifVersion(ifVersion);
    PathResults results = new PathResults(output);
    if (dryRun) {
      for (RnsPath path : paths) {
        show(service, path, results, output);
      }
      return results.finish();
    }
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

  /** Shows what would be removed with a path, or why it would be refused. */
  private void show(NameService service, RnsPath path, PathResults results, Output output) throws IOException {
    QueryRequest request = QueryRequest.of(Target.of(path)).withCounts();
    Outcome<Entry> found = service.query(CallContext.ANONYMOUS, request).value().get(0);
    Outcome<Entry> outcome = found instanceof Outcome.Done<Entry> done ? checked(path, done.value()) : found;
    if (!results.add(path, outcome)) {
      return;
    }
    line(output, path);
    if (recursive && outcome.orThrow() instanceof VirtualDirectory) {
      try (TreeWalk walk = TreeWalk.of(service, Target.of(path)).open()) {
        while (walk.hasNext()) {
          SubtreePage.Visit visit = walk.next();
          boolean unused = results.add(visit.path(), Outcome.done(visit.entry()));
          line(output, visit.path());
        }
      }
    }
  }

  private static void line(Output output, RnsPath path) {
    if (!output.isJson()) {
      output.line(path.toString());
    }
  }

  /** An entry that would be removed, or why not. */
  private Outcome<Entry> checked(RnsPath path, Entry entry) {
    Target target = Target.of(path);
    if (path.isRoot()) {
      return Outcome.refused(new Refusal.RootIsFixed(target));
    }
    if (ifVersion != null && ifVersion != entry.version()) {
      return Outcome.refused(new Refusal.VersionMismatch(target, ifVersion, entry.version()));
    }
    boolean full = entry instanceof VirtualDirectory directory && directory.entries() > 0;
    return full && !recursive
        ? Outcome.refused(new Refusal.NotEmpty(target, ((VirtualDirectory) entry).entries()))
        : Outcome.done(entry);
  }
}
