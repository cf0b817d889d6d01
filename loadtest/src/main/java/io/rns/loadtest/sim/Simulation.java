package io.rns.loadtest.sim;

import io.rns.client.pool.Admission;
import io.rns.handlespace.ResolutionOutcome.Selected;
import io.rns.pool.AdaptiveUser;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One simulated pool, from its first moment to the end of the measured time. */
public final class Simulation {
  private final Scenario scenario;
  private final Calendar calendar = new Calendar();
  private final SimulatorRegistrar registrar;
  private final SimulationCounters tally;
  private final List<Element> elements = new ArrayList<>();

  private Simulation(Scenario scenario, SplittableRandom selecting) {
    this.scenario = scenario;
    this.registrar = new SimulatorRegistrar(calendar, scenario.policy(), scenario.items(), selecting);
    this.tally = new SimulationCounters(calendar, 60 * scenario.warmUpMinutes());
  }

  /**
   * Runs a scenario. The workload depends on the seed and on the settings of the workload alone: what else differs
   * between two scenarios is compared under the same requests.
   */
  public static Observation run(Scenario scenario, long seed) {
    SplittableRandom root = new SplittableRandom(seed);
    SplittableRandom workloads = root.split();
    Simulation simulation = new Simulation(scenario, root.split());
    simulation.addElements();
    SplittableRandom waiting = root.split();
    for (int i = 0; i < scenario.elements() * scenario.usersPerElement(); i++) {
      simulation.addUser(workloads.split(), waiting.split());
    }
    return simulation.measure();
  }

  private void addElements() {
    double[] capacities =
        scenario.distribution().capacities(scenario.elements(), Scenario.CAPACITY, scenario.ratio());
    for (int i = 0; i < capacities.length; i++) {
      int number = i;
      double capacity = scenario.raisesCapacity() ? Math.max(capacities[i], scenario.minCapacity()) : capacities[i];
      int limit = Admission.maxRequests(capacity, scenario.minCapacity());
      elements.add(new Element(calendar, capacity, limit, i < scenario.sinks(), () -> report(number),
          turnedAway(number)));
      registrar.register(i, parameters(elements.get(i)));
    }
  }

  /**
   * Where arrivals are counted the registrar has to know of those that left no trace; in the paper it is told of loads
   * only.
   */
  private Runnable turnedAway(int number) {
    return switch (scenario.policy()) {
      case ADAPTIVE, CREDITS -> () -> report(number);
      default -> () -> {};
    };
  }

  private void report(int number) {
    Parameters parameters = parameters(elements.get(number));
    calendar.after(scenario.networkSeconds() + scenario.reportSeconds(), () -> registrar.register(number, parameters));
  }

  /** What an element says of itself: as much as any policy needs. */
  private Parameters parameters(Element element) {
    long one = Math.round((double) Parameters.FULL / element.limit());
    long load = Math.round((double) Parameters.FULL * element.held() / element.limit());
    long weight = Math.max(1, Math.round(1_000 * element.capacity() / scenario.meanCapacity()));
    Occupancy occupancy = new Occupancy(1, element.arrived(), element.held(), element.limit());
    return new Parameters(weight, weight, load, one, Parameters.FULL / 1_000, occupancy);
  }

  private void addUser(SplittableRandom workload, SplittableRandom waiting) {
    SplittableRandom choosing = waiting.split();
    double kept = scenario.cacheShare() * scenario.requestSeconds();
    Chooser chooser =
        scenario.policy() == PolicyType.ADAPTIVE
            ? new AdaptiveChooser(calendar, new AdaptiveUser(Math.round(1_000 * scenario.requestSeconds()), 0), kept,
                choosing)
            : new CachingChooser(calendar, scenario.policy().policy(), kept, choosing);
    new User(chooser, workload, waiting).begin();
  }

  private Observation measure() {
    calendar.runUntil(60 * scenario.warmUpMinutes());
    double busyBefore = busy();
    long resolutionsBefore = registrar.resolutions();
    calendar.runUntil(60 * (scenario.warmUpMinutes() + scenario.minutes()));
    double capacity = elements.stream().mapToDouble(Element::capacity).sum();
    double utilisation = (busy() - busyBefore) / (60 * scenario.minutes() * capacity);
    return tally.observation(scenario.meanCapacity(), utilisation, registrar.resolutions() - resolutionsBefore);
  }

  private double busy() {
    return elements.stream().mapToDouble(e -> e.busySeconds() * e.capacity()).sum();
  }

  /** A random time or size, the same on every machine for the same generator. */
  static double exponential(RandomGenerator random, double mean) {
    return -mean * StrictMath.log(1 - random.nextDouble());
  }

  /** A pool user: makes requests at random times and has them processed one after the other. */
  private final class User {
    private record Request(double since, double size) {}

    private final Chooser chooser;
    private final RandomGenerator workload;
    private final RandomGenerator waiting;
    private final Queue<Request> queue = new ArrayDeque<>();
    private @Nullable Request current;

    /** Times and sizes of requests are drawn from {@code workload} alone, so that no policy changes them. */
    User(Chooser chooser, RandomGenerator workload, RandomGenerator waiting) {
      this.chooser = chooser;
      this.workload = workload;
      this.waiting = waiting;
    }

    /** Begins, with the first request after one interval. */
    void begin() {
      calendar.after(exponential(workload, scenario.intervalSeconds()), this::make);
    }

    private void make() {
      queue.add(new Request(calendar.now(), exponential(workload, scenario.requestSize())));
      tally.made();
      begin();
      if (current == null) {
        next();
      }
    }

    private void next() {
      chooser.over();
      current = queue.poll();
      if (current != null) {
        choose(current);
      }
    }

    private void choose(Request request) {
      OptionalInt known = chooser.known();
      if (known.isPresent()) {
        send(request, known.getAsInt());
        return;
      }
      double delay = scenario.networkSeconds();
      calendar.after(
          delay,
          () -> {
            List<Selected> named = registrar.resolve();
            double age = scenario.networkSeconds() + scenario.reportSeconds();
            long asOfMillis = (long) ((calendar.now() - age) * 1_000);
            calendar.after(delay, () -> learn(request, named, asOfMillis));
          });
    }

    private void learn(Request request, List<Selected> named, long asOfMillis) {
      OptionalInt chosen = chooser.learn(named, asOfMillis);
      if (chosen.isPresent()) {
        send(request, chosen.getAsInt());
      } else {
        later(request);
      }
    }

    private void later(Request request) {
      calendar.after(Scenario.RETRY_SECONDS * waiting.nextDouble(), () -> choose(request));
    }

    private void send(Request request, int element) {
      tally.tried();
      calendar.after(scenario.networkSeconds(), () -> offer(request, element));
    }

    private void offer(Request request, int element) {
      double delay = scenario.networkSeconds();
      Element.Answer answer =
          elements.get(element).offer(request.size(), () -> calendar.after(delay, () -> served(request, element)));
      calendar.after(
          delay,
          () -> {
            switch (answer) {
              case ACCEPTED -> {
              }
              case REJECTED -> rejected(request, element);
              case FAILED -> failed(element);
            }
          });
    }

    private void rejected(Request request, int element) {
      tally.rejected();
      if (chooser.rejected(element)) {
        choose(request);
      } else {
        later(request);
      }
    }

    /** Given up: whoever made the request sees the failure. */
    private void failed(int element) {
      tally.failed();
      chooser.failed(element);
      next();
    }

    private void served(Request request, int element) {
      tally.served(request.size(), calendar.now() - request.since());
      chooser.served(element);
      next();
    }
  }
}
