package io.rns.loadtest.measure;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** A kind of load. Each run makes clients, and closes them. */
public record Workload(
    String name, int itemsPerRequest, Supplier<List<LoadClient>> clients, RequestArrivals arrivals, Duration timeout) {
  /** One whose clients begin the next request when the former one is answered. */
  public Workload(String name, int itemsPerRequest, Supplier<List<LoadClient>> clients, Duration timeout) {
    this(name, itemsPerRequest, clients, RequestArrivals.AT_ONCE, timeout);
  }

  /** The same under another name, with other arrivals. */
  public Workload as(String other, RequestArrivals wanted) {
    return new Workload(other, itemsPerRequest, clients, wanted, timeout);
  }

  /** Runs it once. */
  public Measurement run(Schedule schedule) {
    return run(schedule, Observer.NONE);
  }

  /** Runs it once, watched, as soon as the observed processes are idle. */
  public Measurement run(Schedule schedule, Observer observer) {
    List<LoadClient> ready = clients.get();
    observer.processors().awaitIdle();
    observer.before().run();
    return LoadRun.run(ready, arrivals, schedule, timeout, observer, LoadRun.Clock.OF_THE_SYSTEM);
  }
}
