package io.rns.loadtest.cli;

import io.rns.loadtest.figure.Experiment;
import io.rns.loadtest.figure.Measured;
import io.rns.loadtest.figure.Measurements;
import io.rns.loadtest.figure.Verdict;
import java.util.List;

record SimJson(
    long seed, int repetitions, double minutes, int missing, List<Measured> points, List<Verdict> claims) {
  static SimJson of(Experiment experiment, Measurements measurements, List<Verdict> verdicts) {
    return new SimJson(
        experiment.seed(), experiment.repetitions(), experiment.minutes(), measurements.missing(),
        measurements.all(), verdicts);
  }
}
