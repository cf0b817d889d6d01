package io.rns.loadtest.drill;

import io.rns.loadtest.history.DrillEvent.Claim;
import io.rns.loadtest.history.DrillEvent.FailedRead;
import io.rns.loadtest.history.DrillEvent.Lag;
import io.rns.loadtest.history.DrillEvent.Read;
import io.rns.loadtest.history.DrillEvent.Unknown;
import io.rns.loadtest.history.DrillEvent.WatchedChange;
import io.rns.loadtest.history.DrillEvent.Write;
import io.rns.loadtest.history.History;
import io.rns.loadtest.history.Promise;
import io.rns.loadtest.history.Violation;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a drill has found.
 *
 * @param warmUp how the group got warm; empty if it was not to be
 * @param incomplete what kept the drill from proving anything; empty if it went through
 */
public record DrillReport(
    DrillSettings settings,
    Optional<WarmUp> warmUp,
    List<Struck> faults,
    Map<String, Long> seen,
    Map<String, Double> lagMillis,
    List<Violation> violations,
    List<String> incomplete,
    Optional<Path> history,
    Optional<Path> logs) {

  /**
   * The load before the first fault.
   *
   * @param seconds how long it took
   * @param writeMillis the longest time without an acknowledged write at the end of it
   * @param readMillis the same without an answered session read
   * @param warm whether both were short; if not, the time for it had passed
   */
  public record WarmUp(double seconds, double writeMillis, double readMillis, boolean warm) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%s after %.0f s: no write for %.0f ms, no session read for %.0f ms",
          warm ? "warm" : "still not warm", seconds, writeMillis, readMillis);
    }
  }

  /**
   * A fault that was gone through.
   *
   * @param writeOutageMillis the longest time without an acknowledged write
   * @param readOutageMillis the longest time without an answered session read
   * @param calmReadMillis the same in an equally long time before, as far as nothing had been injected then
   * @param servingAgainMillis how long until all servers served again
   */
  public record Struck(
      DrillFault fault, int round, String primary, double writeOutageMillis, double readOutageMillis,
      double calmReadMillis, double servingAgainMillis) {}

  /** What a drill proves. */
  public enum Verdict {
    /** Every promise was kept, and everything happened that was to happen. */
    PASSED,
    /** No promise was broken, but something took longer than the drill waits, or did not happen. */
    INCOMPLETE,
    /** A promise was broken. */
    FAILED
  }

  public Verdict verdict() {
    return !violations.isEmpty() ? Verdict.FAILED : incomplete.isEmpty() ? Verdict.PASSED : Verdict.INCOMPLETE;
  }

  public boolean isPassed() {
    return verdict() == Verdict.PASSED;
  }

  /** How often each promise was broken, also those that were not. */
  public Map<Promise, Long> counts() {
    Map<Promise, Long> counts = new LinkedHashMap<>();
    for (Promise promise : Promise.values()) {
      counts.put(promise, violations.stream().filter(v -> v.promise() == promise).count());
    }
    return counts;
  }

  static Map<String, Long> seen(History history) {
    List<Write> writes = history.all(Write.class);
    List<Read> reads = history.all(Read.class);
    Map<String, Long> seen = new LinkedHashMap<>();
    seen.put("acknowledged writes", writes.stream().filter(Write::isAcknowledged).count());
    seen.put("unanswered writes", writes.stream().filter(w -> w.outcome() instanceof Unknown).count());
    seen.put("session reads", reads.stream().filter(Read::isOfSession).count());
    seen.put("bounded reads", reads.stream().filter(r -> !r.isOfSession()).count());
    seen.put("failed reads", (long) history.all(FailedRead.class).size());
    seen.put("watched changes", (long) history.all(WatchedChange.class).size());
    seen.put("epochs", history.all(Claim.class).stream().map(Claim::epoch).distinct().count());
    return seen;
  }

  static Map<String, Double> lagMillis(History history) {
    double[] p50 = history.all(Lag.class).stream().mapToDouble(Lag::p50Millis).sorted().toArray();
    double[] p99 = history.all(Lag.class).stream().mapToDouble(Lag::p99Millis).sorted().toArray();
    Map<String, Double> lag = new LinkedHashMap<>();
    lag.put("p50", p50.length == 0 ? 0 : p50[p50.length / 2]);
    lag.put("p99", p99.length == 0 ? 0 : p99[p99.length / 2]);
    lag.put("worstP99", p99.length == 0 ? 0 : p99[p99.length - 1]);
    return lag;
  }
}
