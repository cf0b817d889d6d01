package io.rns.loadtest.measure;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * A kind of load.
 *
 * @param name for reports
 * @param itemsPerRequest how many things one request does; 1 if it is no batch
 * @param clients makes the clients of one run, which closes them
 * @param timeout after which a request has failed
 */
public record Workload(
    String name, int itemsPerRequest, Supplier<List<LoadClient>> clients, Duration timeout) {
  /** Runs it once. */
  public Measurement run(Schedule schedule) {
    return run(schedule, Processors.OWN);
  }

  /** Runs it once, with an eye on what others use of the processors. */
  public Measurement run(Schedule schedule, Processors processors) {
    return ClosedLoop.run(clients.get(), schedule, timeout, processors);
  }
}
