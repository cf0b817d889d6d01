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

  /** The first one at the end. */
  private Event[] events = new Event[256];
  private int size;

  void add(Event event) {
    if (size == events.length) {
      events = Arrays.copyOf(events, 2 * size);
    }
    int place = later(event);
    System.arraycopy(events, place, events, place + 1, size - place);
    events[place] = event;
    size++;
  }

  @Nullable
  Event first() {
    return size == 0 ? null : events[size - 1];
  }

  /** Removes an event; does nothing if it is not in the queue any more. */
  void remove(Event event) {
    int place = later(event) - 1;
    if (place >= 0 && events[place].order() == event.order()) {
      size--;
      System.arraycopy(events, place + 1, events, place, size - place);
    }
  }

  void clear() {
    size = 0;
  }

  /** How many are not before an event, itself included. */
  private int later(Event event) {
    int least = 0;
    int most = size;
    while (least < most) {
      int middle = (least + most) >>> 1;
      if (events[middle].isBefore(event)) {
        most = middle;
      } else {
        least = middle + 1;
      }
    }
    return least;
  }
}
