package io.rns.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.api.CallContext;
import io.rns.api.Consistency;
import io.rns.api.Entry;
import io.rns.api.Entry.Junction;
import io.rns.api.Explanation;
import io.rns.api.Hop;
import io.rns.api.NameService;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.client.Selection;
import io.rns.error.RnsException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "explain", header = "Look up an entry, and show the front and every server on the way.", description = "For each server: why it was asked, what it did, whether its cache had the entries, its position, and the time. Servers that"
    + " a server asked are indented below it. A front is shown with what its cache has for the lookup. A lookup that is refused or fails is shown, too.", footerHeading = "%nExamples:%n", footer = {
        "  rns explain /demo/soap", "  rns explain --consistency primary /demo/soap",
        "  rns explain --nearest --site europe/essen --json /demo"})
final class ExplainCommand extends ServiceCommand {
  @Option(names = "--nearest", description = "Select the nearest of all reported servers, as referrals shows them") private boolean nearest;

  @Option(names = "--site", paramLabel = "SITE", description = "With --nearest: site of the client; default: none") private String site =
      "";

  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "Entry to look up") private RnsPath path =
      RnsPath.ROOT;

  @Override
  RnsClient.Builder settings(RnsClient.Builder builder) {
    RnsClient.Builder usual = super.settings(builder);
    if (!nearest) {
      if (!site.isEmpty()) {
        throw usage("--site is for --nearest");
      }
      return usual;
    }
    try {
      return usual.selection(Selection.NEAREST).site(site);
    } catch (RnsException e) {
      throw usage("--site '" + site + "': " + e.getMessage());
    }
  }

  @Override
  int run(NameService service, Output output) throws IOException {
    if (nearest) {
      // The first answer teaches which servers there are.
      Entry unused = entry(service, RnsPath.ROOT);
    }
    Consistency consistency = rns().consistency();
    String seen = connection().positions().toString();
    Explanation way = new Explanation();
    Entry found = null;
    RnsException failure = null;
    long began = System.nanoTime();
    try {
      found = service.query(CallContext.ANONYMOUS.with(way), QueryRequest.of(Target.of(path))).value().get(0).orThrow();
    } catch (RnsException e) {
      failure = e;
    }
    long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began);
    if (output.isJson()) {
      JsonGenerator json = output.json().generator();
      json.writeStringField("path", path.toString());
      json.writeStringField("consistency", consistency.toString());
      json.writeStringField("seen", seen);
      json.writeNumberField("micros", micros);
      if (found != null) {
        json.writeObjectFieldStart("entry");
        output.json().fields(path, found);
        json.writeEndObject();
      }
      new HopLines(path).write(json, way.hops());
    } else {
      output.line(path + "  " + (failure == null ? shown(found) : failure.error().name()));
      output.line(consistency + " consistency" + (seen.isEmpty() ? "" : ", seen " + seen) + ", "
          + HopLines.millis(micros));
      for (Hop hop : way.hops()) {
        new HopLines(path).of(hop).forEach(output::line);
      }
    }
    if (failure != null) {
      throw failure;
    }
    return ExitCode.DONE;
  }

  private static String shown(@Nullable Entry entry) {
    return entry == null ? ""
        : (entry instanceof Junction ? "junction" : "directory") + ", id " + entry.id() + ", version "
            + entry.version();
  }
}
