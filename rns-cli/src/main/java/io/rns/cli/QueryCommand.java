package io.rns.cli;

import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.Dialect;
import io.rns.client.RnsClient;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.Namespaces;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "query", header = "Look up entries by path.", description = "Prints the addresses of a junction, one per line, and 'directory' for a directory. With several paths, each line starts"
    + " with the path and a tab.", footerHeading = "%nExamples:%n", footer = {"  rns query /demo/soap",
        "  rns query /demo /demo/soap", "  rns query --epr /demo/soap", "  rns query --json /demo"})
final class QueryCommand extends ServiceCommand {
  @Option(names = "--epr", description = "Print endpoint references as XML, for directories too") private boolean epr;

  @Parameters(paramLabel = "PATH", arity = "1..*", converter = PathConverter.class, description = "Paths to look up") private List<RnsPath> paths =
      List.of();

  @Override
  int run(NameService service, Output output) throws IOException {
    PathResults results = new PathResults(output);
    for (List<RnsPath> some : PathResults.batches(paths)) {
      List<Target> targets = some.stream().map(Target::of).toList();
      List<Outcome<Entry>> outcomes = service.query(CallContext.ANONYMOUS, new QueryRequest(targets, false)).value();
      for (int i = 0; i < some.size(); i++) {
        boolean found = results.add(some.get(i), outcomes.get(i));
        if (found && !output.isJson()) {
          show(output, some.get(i), outcomes.get(i).orThrow());
        }
      }
    }
    return results.finish();
  }

  private void show(Output output, RnsPath path, Entry entry) {
    String prefix = paths.size() == 1 ? "" : path + "\t";
    if (entry instanceof Junction junction) {
      for (EndpointReference reference : junction.references()) {
        output.line(prefix + (epr ? reference.xml() : reference.address()));
      }
    } else {
      output.line(prefix + (epr ? directory(entry).xml() : "directory"));
    }
  }

  /** The reference of a directory on the first server of this command. */
  private EndpointReference directory(Entry entry) {
    if (rns().root().isPresent() || rns().dialect() == Dialect.RNS_1_1_PLAIN) {
      throw new RnsException(
          RnsError.UNKNOWN_OPERATION,
          "the reference of directory '" + entry.displayName() + "' is unavailable in plain RNS 1.1 and with --root");
    }
    String address = RnsClient.soapEndpoint(servers().get(0)).toString();
    return EndpointReference.parse(
        "<e xmlns='" + Namespaces.WSA + "' xmlns:x='" + Namespaces.EXT + "'><Address>" + address.replace("&", "&amp;")
            + "</Address><ReferenceParameters><x:EntryId>" + entry.id() + "</x:EntryId></ReferenceParameters></e>");
  }
}
