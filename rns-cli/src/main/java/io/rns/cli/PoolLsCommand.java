package io.rns.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.rns.api.NameService;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementPage.ListedElement;
import io.rns.pool.ElementPage.LostElement;
import io.rns.pool.ElementsRequest;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolPage.ListedPool;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registration;
import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "ls", header = "List the pools at and below a path.", description = "With -l also their elements: remaining lifetime, endpoint, load, free capacity, the registrar that supervises the element (home;"
    + " see 'rns status') and its next keep-alive request. Elements that do not answer are marked; recently lost elements"
    + " are listed.", footerHeading = "%nExamples:%n", footer = {"  rns pool ls", "  rns pool ls -l /svc"})
final class PoolLsCommand extends ServiceCommand {
  @Option(names = {"-l", "--long"}, description = "List the elements of each pool too") private boolean details;

  @Parameters(paramLabel = "PATH", arity = "0..1", converter = PathConverter.class, description = "Path to search; default: /") private RnsPath path =
      RnsPath.ROOT;

  @Override
  int run(NameService service, Output output) throws IOException {
    if (output.isJson()) {
      output.json().generator().writeStringField("path", path.toString());
      output.json().generator().writeArrayFieldStart("pools");
    }
    PoolsRequest request = PoolsRequest.of(path);
    for (boolean more = true; more;) {
      PoolPage page = pools().pools(request);
      for (ListedPool pool : page.pools()) {
        show(output, pool);
      }
      more = page.next().isPresent();
      request = page.next().map(request::from).orElse(request);
    }
    if (output.isJson()) {
      output.json().generator().writeEndArray();
    }
    return ExitCode.DONE;
  }

  private void show(Output output, ListedPool pool) throws IOException {
    if (output.isJson()) {
      JsonGenerator json = output.json().generator();
      json.writeStartObject();
      json.writeStringField("path", pool.handle().toString());
      json.writeStringField("policy", pool.policy().toString());
      json.writeNumberField("count", pool.elements());
      json.writeNumberField("eligible", pool.eligible());
      if (details) {
        json.writeArrayFieldStart("elements");
        elements(output, pool);
      }
      json.writeEndObject();
      return;
    }
    String eligible = pool.eligible() == pool.elements() ? "" : " (" + pool.eligible() + " can be selected)";
    output.line(String.format("%-10s %5d%s  %s", pool.policy(), pool.elements(), eligible, pool.handle()));
    if (details) {
      elements(output, pool);
    }
  }

  /** Shows the elements, then the lost ones; with JSON ends the open array. */
  private void elements(Output output, ListedPool pool) throws IOException {
    RnsPath handle = pool.handle();
    ElementPage first = page(ElementsRequest.of(handle));
    ElementPage page = first;
    while (true) {
      for (ListedElement element : page.elements()) {
        show(output, pool.policy(), element);
      }
      if (page.next().isEmpty()) {
        break;
      }
      page = page(ElementsRequest.of(handle).from(page.next().getAsInt()));
    }
    if (output.isJson()) {
      output.json().generator().writeEndArray();
      output.json().generator().writeArrayFieldStart("lost");
    }
    for (LostElement element : first.lost()) {
      show(output, element);
    }
    if (output.isJson()) {
      output.json().generator().writeEndArray();
    }
  }

  /** Elements of a pool; none if its last element left after the listing. */
  private ElementPage page(ElementsRequest request) {
    try {
      return pools().elements(request);
    } catch (RnsException e) {
      if (e.error() == RnsError.NO_SUCH_POOL) {
        return ElementPage.none(request.handle());
      }
      throw e;
    }
  }

  private static void show(Output output, PolicyType policy, ListedElement element) throws IOException {
    if (output.isJson()) {
      json(output.json(), element);
      return;
    }
    String left =
        element.remainingMillis() == Registration.FOREVER ? "for ever" : PoolLines.time(element.remainingMillis());
    StringBuilder line = new StringBuilder(String.format("  %-10s  %8s  ", PoolLines.id(element.id()), left));
    line.append(PoolLines.goal(element.endpoints())).append(PoolLines.parameters(policy, element.parameters()));
    line.append(" home=").append(PoolLines.id(element.home()));
    if (element.unreachableReports() > 0) {
      line.append(" unreachable=").append(element.unreachableReports());
    }
    element.keepAliveMillis().ifPresent(millis -> line.append(" asked-in=").append(PoolLines.time(millis)));
    element.silentMillis().ifPresent(millis -> line.append(" (silent for ").append(PoolLines.time(millis)).append(')'));
    output.line(line.toString());
  }

  private static void json(JsonDocument document, ListedElement element) throws IOException {
    JsonGenerator json = document.generator();
    json.writeStartObject();
    PoolLines.element(document, element.id(), element.endpoints());
    PoolLines.parameters(json, element.parameters());
    if (element.remainingMillis() != Registration.FOREVER) {
      json.writeNumberField("remainingMillis", element.remainingMillis());
    }
    json.writeNumberField("home", Integer.toUnsignedLong(element.home()));
    json.writeNumberField("unreachableReports", element.unreachableReports());
    if (element.silentMillis().isPresent()) {
      json.writeNumberField("silentMillis", element.silentMillis().getAsLong());
    }
    if (element.keepAliveMillis().isPresent()) {
      json.writeNumberField("keepAliveMillis", element.keepAliveMillis().getAsLong());
    }
    json.writeEndObject();
  }

  private static void show(Output output, LostElement element) throws IOException {
    String loss = element.loss().name().toLowerCase(Locale.ROOT);
    if (output.isJson()) {
      JsonGenerator json = output.json().generator();
      json.writeStartObject();
      PoolLines.element(output.json(), element.id(), element.endpoints());
      json.writeStringField("loss", loss);
      json.writeNumberField("lostMillis", element.lostMillis());
      json.writeEndObject();
      return;
    }
    String goal = PoolLines.goal(element.endpoints());
    String ago = PoolLines.time(element.lostMillis());
    output.line(
        output.dim(String.format("  %-10s  %8s  %s (%s %s ago)", PoolLines.id(element.id()), "dead", goal, loss, ago)));
  }
}
