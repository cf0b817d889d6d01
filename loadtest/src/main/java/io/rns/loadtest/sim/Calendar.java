package io.rns.loadtest.sim;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * What happens when, in simulated seconds from 0. Of events of one moment the one happens first that was entered first.
 */
final class Calendar {
  private record Event(double seconds, long sequence, Runnable action) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingDouble(Event::seconds).thenComparingLong(Event::sequence));
  private double now;
  private long sequence;

  double now() {
    return now;
  }

  /** Whole milliseconds, as production code counts them. */
  long millis() {
    return (long) (now * 1_000);
  }

  /** Enters an event; without delay it happens at once, before this returns. */
  void after(double delaySeconds, Runnable action) {
    if (delaySeconds == 0) {
      action.run();
    } else {
      at(now + delaySeconds, action);
    }
  }

  /** Enters an event for a moment that has not passed. */
  void at(double seconds, Runnable action) {
    if (!(seconds >= now)) {
      throw new IllegalArgumentException("an event at " + seconds + " s, when it is already " + now + " s");
    }
    events.add(new Event(seconds, sequence++, action));
  }

  /** Lets happen what happens before a moment, and makes it the present one. */
  void runUntil(double seconds) {
    for (Event next = events.peek(); next != null && next.seconds() < seconds; next = events.peek()) {
      events.remove();
      now = next.seconds();
      next.action().run();
    }
    now = seconds;
  }
}
