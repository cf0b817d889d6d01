package io.rns.cli;

import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.NameService;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "stat", header = "Show all fields of an entry.", footerHeading = "%nExamples:%n", footer = {
    "  rns stat /demo", "  rns stat --json /demo/soap"})
final class StatCommand extends ServiceCommand {
  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "Entry to show") private RnsPath path =
      RnsPath.ROOT;

  @Override
  int run(NameService service, Output output) throws IOException {
    QueryRequest request = QueryRequest.of(Target.of(path)).withCounts();
    Entry entry = service.query(CallContext.ANONYMOUS, request).value().get(0).orThrow();
    if (output.isJson()) {
      output.json().fields(path, entry);
      return ExitCode.DONE;
    }
    show(output, "path", path.toString());
    show(output, "kind", entry instanceof Junction ? "junction" : "directory");
    show(output, "id", entry.id().toString());
    show(output, "version", Long.toString(entry.version()));
    show(output, "created", entry.created().toString());
    show(output, "modified", entry.modified().toString());
    if (entry instanceof VirtualDirectory directory) {
      show(output, "entries", Long.toString(directory.entries()));
    }
    if (entry instanceof Junction junction) {
      for (EndpointReference reference : junction.references()) {
        show(output, "reference", reference.address());
        reference.endpointIdentifier().ifPresent(epi -> show(output, "identifier", epi));
      }
    }
    for (String column : EntryLine.columns(entry.metadata())) {
      show(output, "metadata", column);
    }
    return ExitCode.DONE;
  }

  private static void show(Output output, String what, String value) {
    output.line(String.format("%-12s", what + ":") + value);
  }
}
