package io.rns.cli;

import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.api.SubtreePage.Visit;
import io.rns.api.Target;
import io.rns.client.TreeWalk;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "tree", header = "Draw a subtree and count its entries.", footerHeading = "%nExamples:%n", footer = {
    "  rns tree /demo", "  rns tree -L 2 /"})
final class TreeCommand extends ServiceCommand {
  @Option(names = {"-L",
      "--depth"}, paramLabel = "LEVELS", description = "Maximum number of levels") private @Nullable Integer depth;

  @Parameters(paramLabel = "PATH", arity = "0..1", converter = PathConverter.class, description = "Directory; default: /") private RnsPath path =
      RnsPath.ROOT;

  @Override
  int run(NameService service, Output output) throws IOException {
    if (depth != null && depth < 1) {
      throw usage("--depth " + depth + " is below 1");
    }
    Entry start = entry(service, path);
    if (output.isJson()) {
      output.json().generator().writeStringField("path", path.toString());
      output.json().generator().writeArrayFieldStart("entries");
    } else {
      output.line(output.shown(path.toString(), start));
    }
    long[] counts = {0, start instanceof Junction ? 1 : 0};
    if (!(start instanceof Junction)) {
      walk(service, output, counts);
    }
    finish(output, counts[0], counts[1]);
    return ExitCode.DONE;
  }

  private void walk(NameService service, Output output, long[] counts) throws IOException {
    TreeWalk.Settings settings = TreeWalk.of(service, Target.of(path));
    try (TreeWalk walk = (depth == null ? settings : settings.depth(depth)).open()) {
      StringBuilder indent = new StringBuilder();
      while (walk.hasNext()) {
        Visit visit = walk.next();
        counts[visit.entry() instanceof Junction ? 1 : 0]++;
        if (output.isJson()) {
          output.json().element(visit.path(), visit.entry());
        } else {
          indent.setLength((visit.depth() - 1) * 4);
          String name = output.shown(visit.entry().displayName(), visit.entry());
          output.line(output.dim(indent + (visit.last() ? "└── " : "├── ")) + name);
          indent.append(visit.last() ? "    " : "│   ");
        }
      }
    }
  }

  private static void finish(Output output, long directories, long junctions) throws IOException {
    if (output.isJson()) {
      output.json().generator().writeEndArray();
      output.json().generator().writeNumberField("directories", directories);
      output.json().generator().writeNumberField("junctions", junctions);
    } else {
      output.line("");
      output.line(
          directories + (directories == 1 ? " directory, " : " directories, ")
              + junctions + (junctions == 1 ? " junction" : " junctions"));
    }
  }
}
