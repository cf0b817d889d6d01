package io.rns.cli;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Metadata;
import io.rns.api.NameService;
import io.rns.api.Precondition;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "add", header = "Add a junction: a name for one or more endpoint references.", description = "For a directory, see mkdir.", footerHeading = "%nExamples:%n", footer = {
    "  rns add /demo/soap https://www.w3.org/TR/soap11/",
    "  rns add -p /demo/mirrors/one https://a.example/x https://b.example/x --meta owner=anna --meta year=2026",
    "  rns add /demo/secured @epr.xml",
    "  rns add --replace /demo/soap https://www.w3.org/TR/soap12/"
})
final class AddCommand extends ServiceCommand {
  @Parameters(index = "0", paramLabel = "PATH", converter = PathConverter.class, description = "Path of the new junction") private RnsPath path =
      RnsPath.ROOT;

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "EPR-OR-URL", converter = Converters.OfReference.class, description = "URL, XML of an endpoint reference, or @FILE with that XML") private List<EndpointReference> references =
      List.of();

  @Option(names = "--meta", paramLabel = "K=V", description = "Metadata; repeatable") private Map<String, String> meta =
      new LinkedHashMap<>();

  @Option(names = {"-p", "--parents"}, description = "Create missing parent directories") private boolean parents;

  @Option(names = "--replace", description = "Replace references and metadata of an existing junction") private boolean replace;

  @Override
  int run(NameService service, Output output) throws IOException {
    if (path.isRoot()) {
      throw usage("'/' is a directory and names no new entry");
    }
    NewEntry entry =
        new NewEntry(
            Target.of(path), references, Metadata.of(meta), replace ? Precondition.NONE : Precondition.IF_ABSENT);
    AddRequest request = new AddRequest(List.of(entry), parents, false);
    Entry added = service.add(CallContext.ANONYMOUS, request).value().get(0).orThrow();
    if (output.isJson()) {
      output.json().fields(path, added);
    }
    return ExitCode.DONE;
  }
}
