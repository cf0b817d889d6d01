package io.rns.loadtest.cli;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Cleanup;
import io.rns.loadtest.launcher.Io;
import io.rns.loadtest.launcher.LoadtestEnvironment;
import io.rns.loadtest.load.LoadReport;
import io.rns.loadtest.load.LoadSettings;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Series;
import io.rns.loadtest.measure.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Several processes that load a service together: each creates its own entries, and all start each run at the same
 * time.
 */
final class Team implements AutoCloseable {
  private static final String END = "";
  private static final int PATIENCE_SECONDS = 60;

  private final List<Member> members = new ArrayList<>();
  private boolean interrupted;

  /** A member process; an empty line marks the end of its output. */
  private record Member(Process process, BlockingQueue<String> lines) {}

  void start(List<String> arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                LoadtestEnvironment.java(),
                "-Xmx" + Runtime.getRuntime().maxMemory(), "-Djava.awt.headless=true", "-cp",
                LoadtestEnvironment.classPath(), LoadtestProgram.class.getName(), "load"));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    members.add(new Member(process, lines));
    Thread.ofVirtual().start(() -> listen(process, lines));
  }

  private static void listen(Process process, BlockingQueue<String> lines) {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      reader.lines().filter(line -> !line.isEmpty()).forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add("lost connection: " + e.getMessage());
    } finally {
      lines.add(END);
    }
  }

  /** Runs the processes, each run at the same time, until they send their measurements. */
  LoadReport run(LoadSettings settings) {
    List<TeamMember.Report> reports = new ArrayList<>();
    while (reports.isEmpty()) {
      List<String> said = members.stream().map(this::next).toList();
      if (said.stream().allMatch(TeamMember.READY::equals)) {
        members.forEach(Team::go);
      } else {
        said.forEach(line -> reports.add(report(line)));
      }
    }
    return together(settings, reports);
  }

  private String next(Member member) {
    while (true) {
      try {
        String line = member.lines().take();
        if (!interrupted || !line.equals(TeamMember.READY)) {
          return line;
        }
      } catch (InterruptedException e) {
        interrupted = true;
        members.forEach(Team::stop);
      }
    }
  }

  /** Ends a member, after its cleanup: the end of its input if it waits, else a signal. Its output stays open. */
  private static void stop(Member member) {
    try {
      member.process().outputWriter(StandardCharsets.UTF_8).close();
    } catch (IOException e) {
      // The process has ended already, and destroy() does nothing.
    }
    member.process().toHandle().destroy();
  }

  private static void go(Member member) {
    Io.run("a process of the load has ended", () -> {
      Writer out = member.process().outputWriter(StandardCharsets.UTF_8);
      out.write(TeamMember.GO + "\n");
      out.flush();
    });
  }

  private static TeamMember.Report report(String line) {
    if (!line.startsWith(TeamMember.REPORT)) {
      throw new RnsException(RnsError.UNAVAILABLE,
          "a process of the load has failed" + (line.isEmpty() ? "" : ": " + line));
    }
    return Io.get(RnsError.INTERNAL, "a process of the load has sent an invalid report",
        () -> Json.MAPPER.readValue(line.substring(TeamMember.REPORT.length()), TeamMember.Report.class));
  }

  private LoadReport together(LoadSettings settings, List<TeamMember.Report> reports) {
    List<LoadReport.Step> steps = new ArrayList<>();
    int count = reports.stream().mapToInt(report -> report.steps().size()).min().orElse(0);
    for (int at = 0; at < count; at++) {
      int step = at;
      int clients = settings.steps().get(step);
      String name = settings.operation() + (settings.steps().size() > 1 ? ", " + clients + " clients" : "");
      Workload workload =
          new Workload(name, settings.operation().items(), List::of, settings.arrivals(), settings.timeout());
      List<Measurement> runs = together(reports.stream().map(report -> report.steps().get(step)).toList());
      steps.add(new LoadReport.Step(clients, new Series(workload, runs)));
    }
    boolean stopped = interrupted || reports.stream().anyMatch(TeamMember.Report::interrupted);
    return new LoadReport(settings, steps, List.of(), Map.of(), Map.of(), added(reports), stopped);
  }

  /** The rounds that all members have run. */
  private static List<Measurement> together(List<List<TeamMember.Report.Run>> members) {
    int rounds = members.stream().mapToInt(List::size).min().orElse(0);
    return IntStream.range(0, rounds)
        .mapToObj(
            round -> Measurement.simultaneous(members.stream().map(runs -> runs.get(round).measurement()).toList()))
        .toList();
  }

  private static LoadReport.@Nullable Added added(List<TeamMember.Report> reports) {
    return reports.stream()
        .map(TeamMember.Report::added)
        .filter(Objects::nonNull)
        .reduce((a, b) -> new LoadReport.Added(a.acknowledged() + b.acknowledged(), a.found() + b.found()))
        .orElse(null);
  }

  /** Stops the running processes, after their cleanup. */
  @Override
  public void close() {
    Cleanup.run(() -> {
      members.forEach(Team::stop);
      for (Member member : members) {
        if (!member.process().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          member.process().destroyForcibly();
        }
      }
    });
  }
}
