package io.rns.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

@Command(name = "why", header = "Explain decisions and moves from the recorded heat.", description = "Without argument: the last decisions and moves. Of a decision, what was measured and which rule decided. Of a directory, its heat, what was decided about it, and its moves.", footerHeading = "%nExamples:%n", footer = {
    "  rns partition why", "  rns partition why 17", "  rns partition why /experiments"})
final class PartitionWhyCommand extends OperatorCommand {
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  @Parameters(paramLabel = "PATH|NUMBER", arity = "0..1", description = "Directory, or number of a decision") private String what =
      "";

  @Option(names = "--last", paramLabel = "N", defaultValue = "12", description = "Decisions that are looked at, 1 to 1000; default: 12") private int last;

  @Option(names = "--windows", description = "With --json: also the recorded heat of each window") private boolean windows;

  @Override
  int run(Operator operator, URI server, Output output) throws IOException {
    boolean isDecision = NUMBER.matcher(what).matches();
    List<URI> rootServers = PartitionList.of(servers(), rns().trust(), credentials()).rootServers(server);
    ServerDocument document =
        Decisions.ask(
            operator, rootServers,
            isDecision ? "?number=" + what
                : "?most=" + last + (what.isEmpty() ? "" : "&path=" + path())
                    + (windows ? "&windows=true" : ""));
    if (output.isJson()) {
      output.json().copy(document.body());
      return ExitCode.DONE;
    }
    Decisions decisions = new Decisions(document.json(), output);
    if (isDecision) {
      decisions.showOne();
    } else if (what.isEmpty()) {
      decisions.showAll();
    } else {
      decisions.showDirectory();
    }
    return ExitCode.DONE;
  }

  private String path() {
    try {
      return URLEncoder.encode(new PathConverter().convert(what).toString(), StandardCharsets.UTF_8);
    } catch (TypeConversionException e) {
      throw usage("'" + what + "' is neither a directory nor the number of a decision: " + e.getMessage());
    }
  }
}
