package io.rns.loadtest.handlespace;

import io.rns.loadtest.handlespace.OrderedSet.Ranked;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What the selection set of a pool has to do, with one set or another. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class SetBenchmark {
  private static final long SEED = 20_070_314;

  /** How many elements the set has. */
  @Param("10000") public int elements;

  /** Which set. */
  @Param("AVL_TREE") public String kind = "AVL_TREE";

  private final SplittableRandom random = new SplittableRandom(SEED);
  private OrderedSet set = OrderedSet.Kind.AVL_TREE.create();
  private List<Ranked> all = List.of();
  private long sequence;

  /** Fills the set: with ranks for reports, where those that are alike are in a circle. */
  @Setup(Level.Iteration)
  public void fill() {
    set = OrderedSet.Kind.valueOf(kind).create();
    all = new ArrayList<>();
    for (int i = 0; i < elements; i++) {
      Ranked element = new Ranked();
      element.sequence = ++sequence;
      all.add(element);
      set.add(element);
    }
  }

  /** Round robin: the first is selected and becomes the last. */
  @Benchmark
  public Ranked circle() {
    Ranked first = set.first();
    set.remove(first);
    first.sequence = ++sequence;
    set.add(first);
    return first;
  }

  /** Least used: any element reports another load. */
  @Benchmark
  public Ranked report() {
    Ranked any = all.get(random.nextInt(elements));
    set.remove(any);
    any.rank = random.nextInt();
    any.sequence = ++sequence;
    set.add(any);
    return any;
  }
}
