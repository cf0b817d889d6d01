package io.rns.loadtest.sim;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * A pool element: it shares its capacity evenly among the requests it holds, at most {@code limit}. Exact, not in
 * steps: what each request has got since the element was last idle is one number for all, and the next to finish is the
 * one with the least need.
 */
final class Element {
  /** What becomes of a request that is offered. */
  enum Answer {
    ACCEPTED, REJECTED, FAILED
  }

  private record Job(double need, long sequence, Runnable done) {}

  private final Calendar calendar;
  private final double capacity;
  private final int limit;
  private final boolean sink;
  private final Runnable changed;
  private final Runnable turnedAway;
  private final PriorityQueue<Job> jobs =
      new PriorityQueue<>(Comparator.comparingDouble(Job::need).thenComparingLong(Job::sequence));
  private double given;
  private double givenAt;
  private long plan;
  private long arrived;
  private double busySeconds;

  /**
   * An idle one. It runs {@code changed} after every change of what it holds, {@code turnedAway} after every rejection.
   */
  Element(Calendar calendar, double capacity, int limit, boolean sink, Runnable changed, Runnable turnedAway) {
    this.calendar = calendar;
    this.capacity = capacity;
    this.limit = limit;
    this.sink = sink;
    this.changed = changed;
    this.turnedAway = turnedAway;
  }

  double capacity() {
    return capacity;
  }

  int limit() {
    return limit;
  }

  int held() {
    return jobs.size();
  }

  long arrived() {
    return arrived;
  }

  /** For how long it has had anything to do. */
  double busySeconds() {
    progress();
    return busySeconds;
  }

  /** Offers a request of {@code size} calculations; {@code done} runs when it is finished, if it was accepted. */
  Answer offer(double size, Runnable done) {
    arrived++;
    if (sink) {
      changed.run();
      return Answer.FAILED;
    }
    if (jobs.size() >= limit) {
      turnedAway.run();
      return Answer.REJECTED;
    }
    progress();
    jobs.add(new Job(given + size, arrived, done));
    planNext();
    changed.run();
    return Answer.ACCEPTED;
  }

  private void progress() {
    double now = calendar.now();
    if (jobs.isEmpty()) {
      given = 0;
    } else {
      given += (now - givenAt) * capacity / jobs.size();
      busySeconds += now - givenAt;
    }
    givenAt = now;
  }

  /** Whatever was planned before is void. */
  private void planNext() {
    long current = ++plan;
    Job next = jobs.peek();
    if (next != null) {
      double seconds = Math.max(0, next.need() - given) * jobs.size() / capacity;
      calendar.at(calendar.now() + seconds, () -> finish(current));
    }
  }

  private void finish(long planned) {
    if (planned != plan) {
      return;
    }
    progress();
    Job job = jobs.remove();
    given = job.need();
    planNext();
    changed.run();
    job.done().run();
  }
}
