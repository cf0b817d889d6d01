package io.rns.loadtest.handlespace;

import io.rns.api.RnsPath;
import io.rns.handlespace.ElementKey;
import io.rns.handlespace.Handlespace;
import io.rns.handlespace.RegistrationOutcome;
import io.rns.handlespace.ResolutionOutcome;
import io.rns.handlespace.TablePage;
import io.rns.handlespace.TimerEvent;
import io.rns.handlespace.UpdateOutcome;
import io.rns.pool.Registration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * JMH benchmark of the operations of the handlespace: one thread, no network. Each leaves the pools as large as they
 * were. Results: docs/decisions/handlespace.md.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class HandlespaceBenchmark {
  /**
   * Runs the benchmark.
   *
   * @param arguments of JMH, such as {@code -p elements=100,10000 -p policy=rr,lu -p items=1}
   */
  public static void main(String[] arguments) throws Exception {
    Main.main(arguments.length == 0 ? new String[]{HandlespaceBenchmark.class.getName()} : arguments);
  }

  /** Elements in one answer with elements to another registrar, as registrars have it by default. */
  private static final int PAGE = 128;

  /** An element leaves and another one comes. */
  @Benchmark
  public RegistrationOutcome registerAndDeregister(Population pool) {
    pool.advance();
    Handlespace handlespace = pool.handlespace();
    handlespace.deregister(pool.key(), pool.now());
    return handlespace.register(pool.handle(), pool.type(), pool.said(), pool.now());
  }

  /** An element registers again and says the same. */
  @Benchmark
  public RegistrationOutcome renew(Population pool) {
    pool.advance();
    return pool.handlespace().register(pool.handle(), pool.type(), pool.said(), pool.now());
  }

  /** An element registers again with another load. */
  @Benchmark
  public RegistrationOutcome report(Population pool) {
    pool.advance();
    return pool.handlespace().register(pool.handle(), pool.type(), pool.reported(pool.said()), pool.now());
  }

  /** Another registrar announces that an element registered again there; with {@code -p owned=false}. */
  @Benchmark
  public UpdateOutcome follow(Population pool) {
    pool.advance();
    return pool.handlespace().apply(pool.announced(pool.said()), pool.now());
  }

  /** A timer ends and the next one begins: an element is asked whether it lives, and answers. */
  @Benchmark
  public boolean timer(Population pool) {
    Handlespace handlespace = pool.handlespace();
    long now = pool.untilDue();
    TimerEvent event = handlespace.run(now, 1).get(0);
    return handlespace.acknowledge(event.entry().key(), now);
  }

  /** A user asks. */
  @Benchmark
  public ResolutionOutcome resolve(Population pool) {
    pool.advance();
    return pool.handlespace().resolve(pool.handle(), pool.items);
  }

  /** A user asks, and the element that it gets reports another load. */
  @Benchmark
  public RegistrationOutcome resolveAndReport(Population pool) {
    pool.advance();
    Handlespace handlespace = pool.handlespace();
    RnsPath handle = pool.handle();
    ResolutionOutcome.Resolved resolved = (ResolutionOutcome.Resolved) handlespace.resolve(handle, pool.items);
    Registration used = resolved.selected().get(0).element().registration();
    return handlespace.register(handle, pool.type(), pool.reported(used), pool.now());
  }

  /** Another registrar copies all elements, in blocks. */
  @Benchmark
  public long synchronise(Population pool) {
    long versions = 0;
    Optional<ElementKey> after = Optional.empty();
    boolean more = true;
    while (more) {
      TablePage page = pool.handlespace().synchronisation().table(after, PAGE);
      versions += page.entries().size();
      after = Optional.of(page.entries().get(page.entries().size() - 1).key());
      more = page.more();
    }
    return versions;
  }
}
