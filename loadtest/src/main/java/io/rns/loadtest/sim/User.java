package io.rns.loadtest.sim;

import io.rns.handlespace.ResolutionOutcome.Selected;
import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A pool user: makes requests at random times and has them processed one after the other. */
final class User {
  private record Request(double since, double size) {}

  private final Scenario scenario;
  private final Calendar calendar;
  private final SimulatorRegistrar registrar;
  private final List<Element> elements;
  private final Chooser chooser;
  private final SimulationCounters tally;
  private final RandomGenerator workload;
  private final RandomGenerator waiting;
  private final Queue<Request> queue = new ArrayDeque<>();
  private @Nullable Request current;

  /**
   * One without requests.
   *
   * @param workload of times and sizes of requests and of nothing else, so that they are the same whatever the policy
   *        does
   * @param waiting of the delays before the next try
   */
  User(
      Scenario scenario,
      Calendar calendar,
      SimulatorRegistrar registrar,
      List<Element> elements,
      Chooser chooser,
      SimulationCounters tally,
      RandomGenerator workload,
      RandomGenerator waiting) {
    this.scenario = scenario;
    this.calendar = calendar;
    this.registrar = registrar;
    this.elements = elements;
    this.chooser = chooser;
    this.tally = tally;
    this.workload = workload;
    this.waiting = waiting;
  }

  /** Begins, with the first request after one interval. */
  void begin() {
    calendar.after(Draws.exponential(workload, scenario.intervalSeconds()), this::make);
  }

  private void make() {
    queue.add(new Request(calendar.now(), Draws.exponential(workload, scenario.requestSize())));
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
    calendar.after(Draws.uniform(waiting, scenario.retrySeconds()), () -> choose(request));
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
            case ACCEPTED -> chooser.accepted(element);
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
