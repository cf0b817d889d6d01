package io.rns.cli;

import io.rns.api.NameService;
import io.rns.api.RnsPath;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "make", header = "Make a ticket for a subtree, and print its token.", description = "Needs a credential, but no ticket. The token has the rights that its maker has when it is used, within the caveats.", footerHeading = "%nExamples:%n", footer = {
    "  rns ticket make /cms/data --rights read,list --for 1h",
    "  rns ticket make /cms/in --rights add --for 24h --json"})
final class TicketMakeCommand extends ServiceCommand {
  @Option(names = "--rights", paramLabel = "R,R", required = true, description = "Rights: list, read, add, change, remove, admin") private String rights =
      "";

  @Option(names = "--for", paramLabel = "TIME", converter = Converters.OfDuration.class, description = "Lifetime, up to 168h; default: 1h") private Duration time =
      Duration.ofHours(1);

  @Parameters(paramLabel = "PATH", converter = PathConverter.class, description = "Subtree") private RnsPath path =
      RnsPath.ROOT;

  @Override
  int run(NameService service, Output output) throws IOException {
    String query =
        "?path=" + encoded(path.toString()) + "&rights=" + encoded(rights) + "&seconds=" + time.toSeconds();
    FlatJson made = new TicketCalls(rns().trust(), servers(), credentials()).ask("POST", "/tickets" + query);
    if (output.isJson()) {
      TicketOutput.made(output, made.field("token"), made.field("id"), made.field("until"));
    } else {
      output.line(made.field("token"));
    }
    return ExitCode.DONE;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
