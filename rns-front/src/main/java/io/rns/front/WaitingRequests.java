package io.rns.front;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for a connection to a server: those of each client address in the order in which they came, the
 * addresses in turns. So one address with thousands of requests holds up no other. Used by the thread of a loop only.
 */
final class WaitingRequests {
  private final int most;
  /** In the order of their turns. */
  private final Map<String, ArrayDeque<Exchange>> queues = new LinkedHashMap<>();
  private int size;

  WaitingRequests(int most) {
    this.most = most;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /**
   * Adds a request.
   *
   * @return the one for which there is no place: the last of the address with the most requests, of several that of the
   *         last turn; null if there is one for all
   */
  @Nullable
  Exchange add(Exchange exchange) {
    queues.computeIfAbsent(address(exchange), absent -> new ArrayDeque<>()).add(exchange);
    size++;
    if (size <= most) {
      return null;
    }
    Exchange last =
        queues.values().stream().reduce((longest, later) -> later.size() < longest.size() ? longest : later)
            .orElseThrow().getLast();
    boolean unused = remove(last);
    return last;
  }

  /**
   * Takes the next one that may go on; null if there is none.
   *
   * @param served whether requests of an address may
   * @param mayGo whether one of these may
   */
  @Nullable
  Exchange next(Predicate<String> served, Predicate<Exchange> mayGo) {
    for (Map.Entry<String, ArrayDeque<Exchange>> queue : queues.entrySet()) {
      Iterator<Exchange> all = served.test(queue.getKey()) ? queue.getValue().iterator() : Collections.emptyIterator();
      while (all.hasNext()) {
        Exchange next = all.next();
        if (mayGo.test(next)) {
          all.remove();
          taken(queue.getKey(), queue.getValue());
          return next;
        }
      }
    }
    return null;
  }

  /** Whether there is one that may go on. */
  boolean any(Predicate<String> served, Predicate<Exchange> mayGo) {
    return queues.entrySet().stream()
        .anyMatch(queue -> served.test(queue.getKey()) && queue.getValue().stream().anyMatch(mayGo));
  }

  /** The other addresses come first now. */
  private void taken(String address, ArrayDeque<Exchange> rest) {
    size--;
    var unused = queues.remove(address);
    if (!rest.isEmpty()) {
      queues.put(address, rest);
    }
  }

  boolean remove(Exchange exchange) {
    ArrayDeque<Exchange> queue = queues.get(address(exchange));
    if (queue == null || !queue.removeLastOccurrence(exchange)) {
      return false;
    }
    size--;
    if (queue.isEmpty()) {
      var unused = queues.remove(address(exchange));
    }
    return true;
  }

  private static String address(Exchange exchange) {
    return exchange.client().address();
  }
}
