package io.rns.cli;

import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.NameService;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "mv", header = "Move or rename an entry with its subtree.", description = "If TO is a directory, the entry moves into it and keeps its name. Existing entries are never replaced.", footerHeading = "%nExamples:%n", footer = {
    "  rns mv /demo/soap /demo/soap11", "  rns mv /demo/soap11 /archive"})
final class MvCommand extends ServiceCommand {
  @Parameters(index = "0", paramLabel = "FROM", converter = PathConverter.class, description = "Entry to move") private RnsPath from =
      RnsPath.ROOT;

  @Parameters(index = "1", paramLabel = "TO", converter = PathConverter.class, description = "New path, or the directory to move into") private RnsPath to =
      RnsPath.ROOT;

  @Override
  int run(NameService service, Output output) throws IOException {
    if (from.isRoot()) {
      throw new Refusal.RootIsFixed(Target.ROOT).toException();
    }
    boolean into =
        outcome(service, to) instanceof Outcome.Done<Entry> done && done.value() instanceof VirtualDirectory;
    RnsPath goal = into ? to.child(from.name()) : to;
    EntryChange move = EntryChange.move(Target.of(from), Target.of(goal.parent()), goal.name());
    Entry moved = service.update(CallContext.ANONYMOUS, UpdateRequest.of(move)).value().get(0).orThrow();
    if (output.isJson()) {
      output.json().fields(goal, moved);
    }
    return ExitCode.DONE;
  }
}
