package io.rns.loadtest.cli;

import static io.rns.loadtest.cli.LoadtestCommand.require;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.load.LoadSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of a load from several processes. */
final class ProcessOptions {
  private static final int MOST = 64;
  private static final int NONE = -1;

  /** Options that members receive in another form, or that apply to the starting process only. */
  private static final Set<String> NOT_PASSED_ON =
      Set.of("--processes", "--clients", "--rate", "--json", "--csv", "--html", "--baseline", "--tolerance");

  @Spec(Spec.Target.MIXEE) private CommandSpec spec = CommandSpec.create();

  @Option(names = "--processes", paramLabel = "N", defaultValue = "1", description = "Number of local load processes. They share clients and rate, start together, and use separate entries; no yardsticks "
      + "(default: ${DEFAULT-VALUE}).") int processes;

  @Option(names = "--member", hidden = true, defaultValue = "-1") private int member;

  boolean isTeam() {
    return processes > 1 && !isMember();
  }

  boolean isMember() {
    return member != NONE;
  }

  int number() {
    return Math.max(0, member);
  }

  /** Checks that the processes can share the clients evenly. */
  void check(ClientCounts clients) {
    require("--processes " + processes, processes >= 1 && processes <= MOST, "1 to " + MOST);
    for (int count : clients.values()) {
      require("--clients " + count, !isTeam() || count % processes == 0, "a multiple of --processes " + processes);
    }
  }

  LoadReport run(LoadSettings settings, double rate) {
    try (Team team = new Team()) {
      for (int number = 0; number < processes; number++) {
        team.start(arguments(settings, rate, number));
      }
      return team.run(settings);
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "a process of the load cannot be started: " + e.getMessage(), e);
    }
  }

  private List<String> arguments(LoadSettings settings, double rate, int number) {
    List<String> arguments = new ArrayList<>();
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      if (!NOT_PASSED_ON.contains(option.longestName()) && !option.longestName().contains("yardsticks")) {
        option.originalStringValues().forEach(value -> arguments.add(option.longestName() + "=" + value));
      }
    }
    String clients =
        settings.steps().stream().map(count -> String.valueOf(count / processes)).collect(Collectors.joining(","));
    arguments.addAll(
        List.of(
            "--no-yardsticks", "--json", "--processes=" + processes, "--member=" + number, "--clients=" + clients,
            "--rate=" + rate / processes));
    return arguments;
  }
}
