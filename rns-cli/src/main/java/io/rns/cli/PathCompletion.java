package io.rns.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ScopeType;

/** The continuations of a path on an unfinished command line: names that a server lists. */
final class PathCompletion {
  /** The longest wait after a key press. */
  private static final long BOUND_MILLIS = 2_000;

  private final Terminal terminal;
  private final ShellLine line;
  private final List<String> options = new ArrayList<>();
  private boolean takesPath;

  PathCompletion(Terminal terminal, String line) {
    this.terminal = terminal;
    this.line = ShellLine.parse(line);
    read(this.line.words());
  }

  /** Finds the command, its connection options, and the meaning of the last word. */
  private void read(List<String> words) {
    CommandLine command = RnsCommand.model(terminal);
    for (int i = 1; i < words.size(); i++) {
      String word = words.get(i);
      OptionSpec option = command.getCommandSpec().findOption(word.split("=", 2)[0]);
      boolean takesNext = option != null && option.arity().max() > 0 && !word.contains("=");
      if (option != null && option.scopeType() == ScopeType.INHERIT) {
        options.addAll(words.subList(i, Math.min(words.size(), i + (takesNext ? 2 : 1))));
      }
      if (takesNext && i == words.size() - 1) {
        takesPath = isPath(option);
        return;
      }
      i += takesNext ? 1 : 0;
      command = command.getSubcommands().getOrDefault(word, command);
    }
    takesPath = command.getCommandSpec().positionalParameters().stream().anyMatch(PathCompletion::isPath);
  }

  private static boolean isPath(ArgSpec argument) {
    return Arrays.stream(argument.converters()).anyMatch(PathConverter.class::isInstance);
  }

  /** Whether the last word starts a path in the tree. */
  boolean isOfPath() {
    return takesPath && line.last().startsWith("/") && !line.partlyQuoted();
  }

  /** The possible continuations as typed text; none if no server answers in time. */
  List<String> continuations() {
    try {
      return CompletableFuture.supplyAsync(this::ask).get(BOUND_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private List<String> ask() {
    int slash = line.last().lastIndexOf('/');
    String prefix = line.last().substring(slash + 1);
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(List.of(NamesCommand.NAME, line.last().substring(0, slash + 1), "--prefix=" + prefix));
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    Terminal quiet =
        new Terminal(
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(names, false, StandardCharsets.UTF_8),
            new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8),
            terminal.environment(),
            false,
            false,
            terminal.nanos());
    if (RnsCommand.execute(quiet, arguments.toArray(new String[0])) != ExitCode.DONE) {
      return List.of();
    }
    return names.toString(StandardCharsets.UTF_8).lines().map(name -> line.escaped(name.substring(prefix.length())))
        .toList();
  }
}
