package io.rns.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The help of a command without the global options, which {@code rns --help} lists. */
final class OwnOptionsHelp extends Help {
  OwnOptionsHelp(CommandSpec command, ColorScheme colours) {
    super(command, colours);
  }

  private boolean isOfSubcommand() {
    return commandSpec().parent() != null;
  }

  private List<OptionSpec> own() {
    return commandSpec().options().stream().filter(option -> !option.inherited()).toList();
  }

  @Override
  protected Ansi.Text createDetailedSynopsisOptionsText(Collection<ArgSpec> done, Comparator<OptionSpec> order,
      boolean clusters) {
    return createDetailedSynopsisOptionsText(done, own(), order, clusters);
  }

  @Override
  public String optionList() {
    if (!isOfSubcommand()) {
      return super.optionList();
    }
    String list = optionListExcludingGroups(own());
    return list + createHeading("%nGlobal options, such as --server and --json: 'rns --help'.%n");
  }
}
