package io.rns.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.api.CallContext;
import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.client.RnsClient;
import io.rns.client.Selection;
import io.rns.error.RnsException;
import io.rns.referral.Announcement;
import io.rns.referral.Choice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "referrals", header = "Show the order in which a client tries servers, and why.", description = "The first server that answers lists all others. The order, for reads and for writes, is that of a client that selects the nearest"
    + " server; directories whose content another server group owns have an order of their own. Commands keep no state between runs: everything shown was learnt just now.", footerHeading = "%nExamples:%n", footer = {
        "  rns referrals", "  rns referrals --flush --site europe/essen", "  rns referrals --json"})
final class ReferralsCommand extends ServiceCommand {
  private static final List<String> TITLES = List.of("", "SERVER", "ROLE", "SITE", "ADDRESS", "WHY");
  private static final double NANOS_PER_MILLI = 1_000_000;

  @Option(names = "--flush", description = "Discard that list; query each server directly and time its answer") private boolean flush;

  @Option(names = "--site", paramLabel = "SITE", description = "Site of the client, such as europe/essen; default: none") private String site =
      "";

  @Override
  RnsClient.Builder settings(RnsClient.Builder builder) {
    try {
      return super.settings(builder).selection(Selection.NEAREST).site(site);
    } catch (RnsException e) {
      throw usage("--site '" + site + "': " + e.getMessage());
    }
  }

  @Override
  int run(NameService service, Output output) throws IOException {
    service.query(CallContext.ANONYMOUS, QueryRequest.of(Target.ROOT)).value().get(0).orThrow();
    if (flush) {
      connection().refreshServers();
    }
    List<RnsPath> parts = connection().parts().stream().filter(part -> !part.isRoot()).toList();
    if (output.isJson()) {
      JsonGenerator json = output.json().generator();
      json(json, RnsPath.ROOT);
      json.writeArrayFieldStart("parts");
      for (RnsPath part : parts) {
        json.writeStartObject();
        json.writeStringField("prefix", part.toString());
        json(json, part);
        json.writeEndObject();
      }
      json.writeEndArray();
    } else {
      show(output, "", RnsPath.ROOT);
      for (RnsPath part : parts) {
        output.line("");
        show(output, "below " + part + ", ", part);
      }
    }
    return ExitCode.DONE;
  }

  private void show(Output output, String where, RnsPath part) {
    show(output, where + "reads:", connection().servers(part, false));
    output.line("");
    show(output, where + "writes:", connection().servers(part, true));
  }

  private void json(JsonGenerator json, RnsPath part) throws IOException {
    json(json, "reads", connection().servers(part, false));
    json(json, "writes", connection().servers(part, true));
  }

  private static void show(Output output, String title, List<Choice> choices) {
    output.line(title);
    List<List<String>> rows = new ArrayList<>(List.of(TITLES));
    for (Choice choice : choices) {
      Announcement server = choice.server();
      String where = server.site().isNone() ? "-" : server.site().text();
      boolean told = choice.candidate().told();
      rows.add(
          List.of(
              Integer.toString(rows.size()),
              told ? server.name() : "-",
              told ? server.role().text() : "-",
              where,
              server.url(),
              choice.reason()));
    }
    Columns.of(rows).forEach(output::line);
  }

  private static void json(JsonGenerator json, String field, List<Choice> choices) throws IOException {
    json.writeArrayFieldStart(field);
    for (Choice choice : choices) {
      Announcement server = choice.server();
      json.writeStartObject();
      json.writeStringField("url", server.url());
      json.writeBooleanField("told", choice.candidate().told());
      json.writeStringField("name", server.name());
      json.writeStringField("role", server.role().text());
      json.writeStringField("site", server.site().text());
      json.writeNumberField("capacity", server.capacity());
      json.writeNumberField("load", server.load());
      json.writeNumberField("lagMillis", server.lagMillis());
      json.writeStringField("position", server.position().map(Position::toString).orElse(null));
      json.writeNumberField("roundTripMillis", choice.candidate().experience().roundTripNanos() / NANOS_PER_MILLI);
      json.writeStringField("reason", choice.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
