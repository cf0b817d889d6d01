package io.rns.loadtest.cli;

import io.rns.loadtest.figure.Estimate;
import io.rns.loadtest.figure.Experiment;
import io.rns.loadtest.figure.Figure;
import io.rns.loadtest.figure.Measured;
import io.rns.loadtest.figure.Measurements;
import io.rns.loadtest.figure.Verdict;
import io.rns.pool.PolicyType;
import java.util.List;

record SimJson(
    long seed, int repetitions, double minutes, int missing, List<Point> points, List<Claim> claims) {

  private record Point(
      Figure figure, PolicyType policy, double q, double x, Mean speed, Mean utilisation, Mean resolutionsPerRequest,
      Mean rejectedShare, Mean failedShare) {
    static Point of(Measured m) {
      return new Point(
          m.cell().figure(), m.cell().policy(), m.cell().minCapacity(), m.cell().value(), Mean.of(m.speed()),
          Mean.of(m.utilisation()), Mean.of(m.resolutions()), Mean.of(m.rejected()), Mean.of(m.failed()));
    }
  }

  private record Mean(double mean, double ci95) {
    static Mean of(Estimate estimate) {
      return new Mean(estimate.mean(), estimate.halfWidth());
    }
  }

  private record Claim(
      String id, String claim, String source, String expected, String ours, Verdict.Agreement agrees) {
    static Claim of(Verdict verdict) {
      return new Claim(
          verdict.id(), verdict.claim(), verdict.source(), verdict.expected(), verdict.ours(), verdict.agreement());
    }
  }

  static SimJson of(Experiment experiment, Measurements measurements, List<Verdict> verdicts) {
    return new SimJson(
        experiment.seed(), experiment.repetitions(), experiment.minutes(), measurements.missing(),
        measurements.all().stream().map(Point::of).toList(), verdicts.stream().map(Claim::of).toList());
  }
}
