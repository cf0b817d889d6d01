package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** docs/cli.md lists exactly the commands and options that exist, by their help texts, and its import example works. */
class CliDocumentTest {
  /** Options of many commands, explained once. */
  private static final List<String> OF_ALL =
      List.of(
          "--server", "--token-file", "--consistency", "--after", "--dialect", "--root", "--json", "--secret-file",
          "--data", "--ca", "--cert", "--key",
          "--help",
          "-h");

  private static String document() throws IOException {
    return Files.readString(Path.of("../docs/cli.md"));
  }

  @Test
  void listsExactlyTheCommandsAndOptionsThatExist() throws IOException {
    String table = document();
    table = table.substring(table.indexOf("## Commands"), table.indexOf("## Import format"));
    CommandLine all = RnsCommand.model(Terminal.ofProcess());
    for (Map.Entry<String, CommandLine> command : flat(all).entrySet()) {
      String row =
          table.lines()
              .filter(line -> line.startsWith("| `" + command.getKey() + " ")
                  || line.startsWith("| `" + command.getKey() + "`"))
              .findFirst().orElseThrow(() -> new AssertionError("no row of " + command.getKey()));
      List<String> documented =
          Pattern.compile("(?<![\\w-])--?[a-zA-Z][a-z-]*").matcher(row.split("(?<!\\\\)\\|", -1)[1]).results()
              .map(MatchResult::group).toList();
      List<String> options =
          command.getValue().getCommandSpec().options().stream()
              .filter(option -> !option.hidden() && !OF_ALL.contains(option.longestName()))
              .map(option -> inTable(option, documented)).toList();
      assertThat(documented).as(row).containsExactlyInAnyOrderElementsOf(options);
      String header = command.getValue().getCommandSpec().usageMessage().header()[0];
      String explanation = row.split("(?<!\\\\)\\|", -1)[2].replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1").strip();
      assertThat(explanation).as("starts with the help text").startsWith(header.substring(0, header.length() - 1));
    }
  }

  /** All commands; for a command with subcommands only these, by both words. */
  private static Map<String, CommandLine> flat(CommandLine all) {
    Map<String, CommandLine> flat = new LinkedHashMap<>();
    all.getSubcommands()
        .forEach(
            (name, command) -> {
              if (command.getSubcommands().isEmpty()) {
                flat.put(name, command);
              }
              command.getSubcommands().forEach((below, nested) -> flat.put(name + " " + below, nested));
            });
    return flat;
  }

  /** The table has one of several names of an option. */
  private static String inTable(OptionSpec option, List<String> documented) {
    for (String name : option.names()) {
      if (documented.contains(name)) {
        return name;
      }
    }
    return option.longestName();
  }

  @Test
  void theImportExampleWorks() throws IOException {
    String text = document();
    String example = text.substring(text.indexOf("# a comment"), text.indexOf("```\n\n1. The path."));
    try (CommandLineFixture rns = new CommandLineFixture()) {
      CommandLineFixture.Result result = rns.input(example).run("import", "-");
      assertThat(result.out()).as(result.err()).startsWith("4 entries: 4 added");
      List<String> lines = example.lines().filter(line -> !line.startsWith("#")).toList();
      assertThat(rns.lines("export /")).containsExactlyInAnyOrderElementsOf(lines);
    }
  }
}
