package io.rns.cli;

import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryFilter;
import io.rns.api.NamePattern;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage.Visit;
import io.rns.api.Target;
import io.rns.client.Entries;
import io.rns.client.TreeWalk;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "ls", header = "List a directory in byte order of the names.", footerHeading = "%nExamples:%n", footer = {
    "  rns ls /", "  rns ls -l /demo", "  rns ls -R /demo", "  rns ls /demo --name 's*'"})
final class LsCommand extends ServiceCommand {
  @Option(names = {"-l",
      "--long"}, description = "Show kind, version, last change, name, first address, number of others") private boolean details;

  @Option(names = {"-R",
      "--recursive"}, description = "List the whole subtree, with paths relative to PATH") private boolean recursive;

  @Option(names = "--name", paramLabel = "GLOB", converter = Converters.OfGlob.class, description = "List only names that match, such as '*.txt'") private @Nullable NamePattern name;

  @Parameters(paramLabel = "PATH", arity = "0..1", converter = PathConverter.class, description = "Directory, or a junction to show alone; default: /") private RnsPath path =
      RnsPath.ROOT;

  @Override
  int run(NameService service, Output output) throws IOException {
    if (output.isJson()) {
      output.json().generator().writeStringField("path", path.toString());
      output.json().generator().writeArrayFieldStart("entries");
    }
    Entry start = entry(service, path);
    if (start instanceof Junction) {
      show(output, path, path.toString(), start);
    } else if (recursive) {
      walk(service, output);
    } else {
      list(service, output, Target.of(start.id()));
    }
    if (output.isJson()) {
      output.json().generator().writeEndArray();
    }
    return ExitCode.DONE;
  }

  private void list(NameService service, Output output, Target directory) throws IOException {
    Entries all = Entries.of(service, directory);
    for (Entry entry : name == null ? all : all.matching(name)) {
      show(output, path.child(entry.binding().name()), entry.displayName(), entry);
    }
  }

  private void walk(NameService service, Output output) throws IOException {
    EntryFilter wanted = new EntryFilter(Optional.ofNullable(name), Optional.empty(), Map.of());
    try (TreeWalk walk = TreeWalk.of(service, Target.of(path)).matching(wanted).open()) {
      while (walk.hasNext()) {
        Visit visit = walk.next();
        RnsPath below = RnsPath.of(visit.path().names().subList(path.depth(), visit.path().depth()));
        show(output, visit.path(), below.toString().substring(1), visit.entry());
      }
    }
  }

  private void show(Output output, RnsPath at, String shownName, Entry entry) throws IOException {
    if (output.isJson()) {
      output.json().element(at, entry);
    } else {
      output.line(
          (details ? details(output, entry) : "") + output.shown(shownName, entry) + (details ? goal(entry) : ""));
    }
  }

  private static String details(Output output, Entry entry) {
    String version = String.format("%10d", entry.version());
    String kind = entry instanceof VirtualDirectory ? "d" : "j";
    return kind + " " + output.dim(version + " " + entry.modified().truncatedTo(ChronoUnit.SECONDS)) + " ";
  }

  private static String goal(Entry entry) {
    List<EndpointReference> references = entry instanceof Junction junction ? junction.references() : List.of();
    Optional<EndpointReference> first = references.stream().findFirst();
    String more = references.size() > 1 ? " (+" + (references.size() - 1) + ")" : "";
    return first.map(reference -> " -> " + reference.address() + more).orElse("");
  }
}
