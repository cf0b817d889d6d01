package io.rns.client.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsException;
import io.rns.pool.Occupancy;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElementAdmissionTest {
  private static final double MEAN_NANOS = 10_000_000;
  private static final long MOST_NANOS = 60_000_000_000L;

  /** Table I and section 3 of the paper: halves go to the even number. */
  @ParameterizedTest
  @CsvSource({"1000000, 333333, 3", "833333, 333333, 3", "2500000, 1000000, 2", "3500000, 1000000, 4",
      "800000, 333333, 2", "454545, 500000, 1", "100, 500000, 1", "1e300, 1, 2147483647"})
  void theNumberOfRequestsFollowsFromTheCapacity(double capacity, double least, int requests) {
    assertThat(Admission.maxRequests(capacity, least)).isEqualTo(requests);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 0", "-1, 1", "1, -1", "NaN, 1", "1, NaN", "Infinity, 1", "1, Infinity"})
  void whatIsNoCapacityIsRefused(double capacity, double least) {
    assertThatThrownBy(() -> Admission.maxRequests(capacity, least)).isInstanceOf(RnsException.class)
        .hasMessageContaining("cannot be divided");
  }

  private record Job(long due, Optional<Admission.Place> place) {}

  /** A server with some workers, and what it is asked for. */
  private static final class Server {
    private final RandomGenerator random = new SplittableRandom(1);
    private final PriorityQueue<Job> events = new PriorityQueue<>(Comparator.comparingLong(Job::due));
    private final Queue<Admission.Place> waiting = new ArrayDeque<>();
    private final Admission admission;
    private final int workers;
    private final double perNano;
    private long now;
    private int busy;
    private long served;
    private long places;
    private long arrivals;

    Server(int workers, double load) {
      this.admission =
          new Admission(8, Optional.of(new AdaptiveLimit(1_000)), () -> now, new SplittableRandom(1));
      this.workers = workers;
      this.perNano = load * workers / MEAN_NANOS;
    }

    private long drawn(double mean) {
      return Math.round(-Math.log(1 - random.nextDouble()) * mean);
    }

    Server run() {
      events.add(new Job(0, Optional.empty()));
      while (now < MOST_NANOS) {
        Job event = events.remove();
        now = event.due();
        event.place().ifPresentOrElse(this::done, this::arrived);
        while (busy < workers && !waiting.isEmpty()) {
          busy++;
          events.add(new Job(now + drawn(MEAN_NANOS), Optional.of(waiting.remove())));
        }
      }
      return this;
    }

    private void done(Admission.Place place) {
      busy--;
      served += now > MOST_NANOS / 2 ? 1 : 0;
      place.close();
    }

    private void arrived() {
      if (now > MOST_NANOS / 2) {
        arrivals++;
        places += admission.occupancy().limit();
      }
      admission.enter().ifPresent(waiting::add);
      events.add(new Job(now + drawn(1 / perNano), Optional.empty()));
    }

    /** The part of what it could do, or of what it was asked for if that is less. */
    double done() {
      return served / (MOST_NANOS / 2.0) / Math.min(perNano, workers / MEAN_NANOS);
    }

    double limit() {
      return (double) places / arrivals;
    }
  }

  /** As many places as workers, and some for those that wait; times are exponential, which misleads simpler rules. */
  @ParameterizedTest
  @CsvSource({"2, 30", "8, 40", "100, 250"})
  void anAdaptiveNumberOfPlacesFollowsFromTheTimes(int workers, int most) {
    Server busy = new Server(workers, 1.5).run();
    assertThat(busy.done()).isBetween(0.8, 1.1);
    assertThat(busy.limit()).isBetween(0.8 * workers, (double) most);
    Server calm = new Server(workers, 0.7).run();
    assertThat(calm.done()).isBetween(0.8, 1.1);
  }

  @Test
  void whatIsDiscardedSaysNothing() {
    Admission admission = Admission.adaptive(20);
    for (int i = 0; i < 10_000; i++) {
      admission.enter().orElseThrow().discard();
    }
    assertThat(admission.occupancy()).extracting(Occupancy::accepted, Occupancy::occupied, Occupancy::limit)
        .containsExactly(10_000L, 0L, 8L);
    assertThat(Admission.adaptive(3).occupancy().limit()).isEqualTo(3);
  }
}
