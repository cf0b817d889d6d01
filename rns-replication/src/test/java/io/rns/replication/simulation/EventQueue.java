package io.rns.replication.simulation;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What is to happen in virtual time, in its order. It is short: what will do nothing any more is removed. */
final class EventQueue {
  /**
   * Something to happen.
   *
   * @param at when
   * @param order decides among events of one moment; no two have the same
   */
  record Event(long at, long order, Runnable action) {
    private boolean isBefore(Event other) {
      return at != other.at ? at < other.at : order < other.order;
    }
  }

  private static final int FIRST_SIZE = 256;

  /** The first one at the end. */
  private Event[] events = new Event[FIRST_SIZE];
  /** Their times, side by side: the place of an event is found without a look at the others. */
  private long[] times = new long[FIRST_SIZE];
  private int size;

  void add(Event event) {
    if (size == events.length) {
      events = Arrays.copyOf(events, 2 * size);
      times = Arrays.copyOf(times, 2 * size);
    }
    int place = later(event);
    move(place, place + 1);
    events[place] = event;
    times[place] = event.at();
    size++;
  }

  @Nullable
  Event first() {
    return size == 0 ? null : events[size - 1];
  }

  void removeFirst() {
    size--;
  }

  /** Removes an event; does nothing if it is not in the queue any more. */
  void remove(Event event) {
    int place = later(event) - 1;
    if (place >= 0 && events[place].order() == event.order()) {
      move(place + 1, place);
      size--;
    }
  }

  void clear() {
    size = 0;
  }

  private void move(int from, int to) {
    System.arraycopy(events, from, events, to, size - from);
    System.arraycopy(times, from, times, to, size - from);
  }

  /** How many are not before an event, itself included. Most events are soon to happen. */
  private int later(Event event) {
    int place = size;
    while (place > 0 && times[place - 1] < event.at()) {
      place--;
    }
    while (place > 0 && times[place - 1] == event.at() && events[place - 1].isBefore(event)) {
      place--;
    }
    return place;
  }
}
