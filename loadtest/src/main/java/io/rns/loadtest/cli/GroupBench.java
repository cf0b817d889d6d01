package io.rns.loadtest.cli;

import io.rns.loadtest.BenchReport;
import io.rns.loadtest.measure.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The shape of benchmarks that start a server group. */
abstract class GroupBench extends Bench {
  private static final int CLEANING_SECONDS = 200;

  private final Path launcher;
  private Map<String, String> notes = Map.of();

  GroupBench(Path launcher) {
    this.launcher = launcher;
  }

  /** Measures with a group that the launcher starts. */
  abstract BenchReport measure(Path with, Consumer<String> progress) throws InterruptedException;

  @Override
  final List<Row> measure(Consumer<String> progress) throws InterruptedException {
    BenchReport report = measure(launcher, progress);
    notes = report.notes();
    return report.rows();
  }

  @Override
  final Map<String, String> notes() {
    return notes;
  }

  @Override
  final long cleaningSeconds() {
    return CLEANING_SECONDS;
  }
}
