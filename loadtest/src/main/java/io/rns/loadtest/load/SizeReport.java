package io.rns.loadtest.load;

import io.rns.api.RnsPath;
import io.rns.loadtest.measure.Measurement;
import io.rns.loadtest.measure.Series;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * What the benchmark of size gave.
 *
 * @param pages of the big directory, by one client: at the start, in the middle, at the end
 * @param alone queries of known paths
 * @param whileListing the same while the big directory is listed from end to end
 * @param coldSmall queries of paths never asked before in a tree of few entries
 * @param coldLarge the same in a tree of many
 */
public record SizeReport(
    SizeBenchmark.Settings settings,
    RnsPath directory,
    long entries,
    Map<String, Double> entriesPerSecond,
    List<Series> pages,
    Series alone,
    Series whileListing,
    long pagesListed,
    Series coldSmall,
    Series coldLarge) {

  /** How many times as long the slowest of the pages takes as the fastest (medians). */
  public double pagesRatio() {
    double[] micros = pages.stream().mapToDouble(page -> page.median(run -> run.micros(50))).toArray();
    return DoubleStream.of(micros).max().orElse(Double.NaN) / DoubleStream.of(micros).min().orElse(Double.NaN);
  }

  /** How many times as high the 99th percentile of queries is while the big directory is listed. */
  public double listingRatio() {
    return whileListing.median(run -> run.micros(99)) / alone.median(run -> run.micros(99));
  }

  /** How many times as many cold queries per second the small tree answers as the large one. */
  public double coldRatio() {
    return coldSmall.ratioTo(coldLarge);
  }

  public List<Series> all() {
    return Stream.concat(pages.stream(), Stream.of(alone, whileListing, coldSmall, coldLarge)).toList();
  }

  public long errors() {
    return all().stream().map(Series::together).map(Measurement::failures).mapToLong(f -> f.total()).sum();
  }
}
