package io.rns.loadtest.handlespace;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures the handlespace, and ordered sets, by JMH. */
public final class HandlespaceRuns {
  private static final double HALF = 50;

  private final RunSettings settings;
  private final Consumer<String> progress;

  /**
   * Measurements to be.
   *
   * @param progress is told what is measured
   */
  public HandlespaceRuns(RunSettings settings, Consumer<String> progress) {
    this.settings = settings;
    this.progress = progress;
    // It would keep a second measurement from running, whoever it belongs to.
    System.setProperty("jmh.ignoreLock", "true");
  }

  /** Operations, each with every policy that it is for, on pools of every size. */
  public List<Rate> operations(List<Operation> wanted) {
    List<Rate> rates = new ArrayList<>();
    for (Operation operation : wanted) {
      for (String policy : operation.policies()) {
        progress.accept(operation + ", " + policy);
        ChainedOptionsBuilder options =
            options(HandlespaceBenchmark.class, operation.method())
                .param("policy", policy)
                .param("items", String.valueOf(operation.items()));
        for (RunResult result : run(options)) {
          int elements = elements(result);
          double reference = elements == Operation.REFERENCE_ELEMENTS ? operation.reference() : 0;
          rates.add(rate(operation.toString(), policy, elements, result.getPrimaryResult(), reference));
        }
      }
    }
    return rates;
  }

  /** Ordered sets that could hold who is next: the handlespace's own, and what Java has. */
  public List<Rate> sets() {
    List<Rate> rates = new ArrayList<>();
    for (OrderedSet.Kind kind : OrderedSet.Kind.values()) {
      progress.accept("ordered sets, " + kind);
      for (RunResult result : run(options(SetBenchmark.class, ".*").param("kind", kind.name()))) {
        String name = result.getParams().getBenchmark();
        String moves = name.substring(name.lastIndexOf('.') + 1);
        rates.add(rate(kind.toString(), moves, elements(result), result.getPrimaryResult(), 0));
      }
    }
    return rates;
  }

  private static int elements(RunResult result) {
    return Integer.parseInt(result.getParams().getParam("elements"));
  }

  private static Rate rate(String what, String policy, int elements, Result<?> measured, double reference) {
    double error = Double.isNaN(measured.getScoreError()) ? 0 : measured.getScoreError();
    // Of a machine that others use, too, a mean tells what they did.
    double median = measured.getStatistics().getPercentile(HALF);
    return new Rate(what, policy, elements, median, error, reference);
  }

  /** With the collector that servers have. */
  private ChainedOptionsBuilder options(Class<?> benchmark, String method) {
    TimeValue iteration = TimeValue.milliseconds(settings.iteration().toMillis());
    return new OptionsBuilder()
        .include("^" + benchmark.getName().replace(".", "\\.") + "\\." + method + "$")
        .param("elements", settings.sizes().stream().map(String::valueOf).toArray(String[]::new))
        .jvmArgsAppend("-XX:+UseParallelGC")
        .warmupIterations(2 * settings.iterations())
        .warmupTime(iteration)
        .measurementIterations(settings.iterations())
        .measurementTime(iteration)
        .forks(settings.forks())
        .shouldFailOnError(true);
  }

  private static Collection<RunResult> run(ChainedOptionsBuilder options) {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    OutputFormat silent = OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.SILENT);
    try {
      return new Runner(options.build(), silent).run();
    } catch (RunnerException e) {
      throw new RnsException(RnsError.INTERNAL, "the measurement failed: " + e.getMessage(), e);
    }
  }
}
