package io.rns.server.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rule of admission, in virtual time. */
class AdmissionPlacesTest {
  private static final long MILLI = 1_000_000;

  private static boolean enters(AdmissionPlaces places, String caller, long now) {
    return places.enter(caller, now) instanceof AdmissionVerdict.Admitted;
  }

  @Test
  void whoIsAloneHasAllOfIt() {
    AdmissionPlaces places = new AdmissionPlaces(10);
    for (int i = 0; i < 10; i++) {
      assertThat(enters(places, "a", 0)).isTrue();
      assertThat(places.free()).isEqualTo(9 - i);
    }
    assertThat(enters(places, "a", 0)).isFalse();
    places.leave("a", MILLI);
    assertThat(enters(places, "a", 0)).isTrue();
  }

  @Test
  void aPlaceThatGetsFreeIsKeptForWhoWasTurnedAway() {
    AdmissionPlaces places = new AdmissionPlaces(4);
    for (int i = 0; i < 4; i++) {
      assertThat(enters(places, "hog", 0)).isTrue();
    }
    assertThat(enters(places, "modest", 0)).isFalse();
    places.leave("hog", MILLI);
    assertThat(enters(places, "hog", 1)).isFalse();
    assertThat(enters(places, "modest", 2)).isTrue();
    places.leave("hog", MILLI);
    assertThat(enters(places, "hog", 3)).isTrue();
  }

  @Test
  void aPlaceIsNotKeptForEver() {
    AdmissionPlaces places = new AdmissionPlaces(2);
    assertThat(enters(places, "hog", 0)).isTrue();
    assertThat(enters(places, "hog", 0)).isTrue();
    assertThat(enters(places, "gone", 0)).isFalse();
    places.leave("hog", MILLI);
    assertThat(enters(places, "hog", AdmissionPlaces.MEMORY_NANOS)).isFalse();
    assertThat(enters(places, "hog", AdmissionPlaces.MEMORY_NANOS + 1)).isTrue();
  }

  @Test
  void whoWaitsLongIsToldToComeBackLater() {
    AdmissionPlaces places = new AdmissionPlaces(1);
    assertThat(enters(places, "a", 0)).isTrue();
    assertThat(places.enter("b", 0)).isEqualTo(new AdmissionVerdict.Rejected(AdmissionPlaces.LEAST_RETRY_MILLIS));
    places.leave("a", 300 * MILLI);
    assertThat(enters(places, "b", 0)).isTrue();
    assertThat(places.enter("c", 0)).isEqualTo(new AdmissionVerdict.Rejected(600));
    assertThat(places.enter("d", 0)).isEqualTo(new AdmissionVerdict.Rejected(900));
    for (int i = 0; i < 50; i++) {
      places.enter("x" + i, 0);
    }
    assertThat(places.enter("y", 0)).isEqualTo(new AdmissionVerdict.Rejected(AdmissionPlaces.MOST_RETRY_MILLIS));
  }

  @Test
  void whatIsRememberedIsBounded() {
    AdmissionPlaces places = new AdmissionPlaces(2);
    assertThat(enters(places, "a", 0)).isTrue();
    assertThat(enters(places, "a", 0)).isTrue();
    for (int i = 0; i < 3 * AdmissionPlaces.REMEMBERED; i++) {
      assertThat(enters(places, "x" + i, 0)).isFalse();
    }
    places.leave("a", MILLI);
    assertThat(enters(places, "new", 0)).isTrue();
  }

  /** Random operations against the rule as the class tells it, computed from a record of all that happened. */
  @Test
  void theRuleHoldsWhateverHappens() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int limit = 1 + random.nextInt(12);
      AdmissionPlaces places = new AdmissionPlaces(limit);
      Map<String, Integer> held = new HashMap<>();
      Map<String, Long> rejected = new HashMap<>();
      List<String> inside = new ArrayList<>();
      long now = 0;
      for (int step = 0; step < 2_000; step++) {
        now += random.nextInt(100) * MILLI;
        if (!inside.isEmpty() && random.nextInt(3) == 0) {
          String leaving = inside.remove(random.nextInt(inside.size()));
          places.leave(leaving, MILLI);
          held.merge(leaving, -1, Integer::sum);
        } else {
          String caller = "c" + random.nextInt(1 + random.nextInt(8));
          boolean expected = mayEnter(caller, now, limit, inside.size(), held, rejected);
          assertThat(enters(places, caller, now)).as("seed %s step %s", seed, step).isEqualTo(expected);
          if (expected) {
            inside.add(caller);
            held.merge(caller, 1, Integer::sum);
            rejected.remove(caller);
          } else {
            rejected.put(caller, now);
          }
        }
        assertThat(places.occupied()).isEqualTo(inside.size()).isLessThanOrEqualTo(limit);
        assertThat(places.free()).isEqualTo(limit - inside.size());
      }
    }
  }

  private static boolean mayEnter(
      String caller, long now, int limit, int occupied, Map<String, Integer> held, Map<String, Long> rejected) {
    rejected.values().removeIf(when -> when < now - AdmissionPlaces.MEMORY_NANOS);
    Set<String> active = new HashSet<>(rejected.keySet());
    held.forEach((who, places) -> active.addAll(places > 0 ? Set.of(who) : Set.of()));
    active.add(caller);
    int share = Math.max(1, limit / active.size());
    long waiting =
        rejected.keySet().stream().filter(who -> !who.equals(caller) && held.getOrDefault(who, 0) < share).count();
    boolean below = held.getOrDefault(caller, 0) < share;
    return below ? occupied < limit : limit - occupied > waiting;
  }

  /** One with 200 clients and three with 10 each want 20 places; all come back at once when they are turned away. */
  @Test
  void whoAsksOftenGetsNoMoreThanOthers() {
    AdmissionPlaces places = new AdmissionPlaces(20);
    Random random = new Random(3);
    Map<String, Integer> served = new HashMap<>();
    PriorityQueue<Event> events = new PriorityQueue<>((a, b) -> Long.compare(a.at, b.at));
    for (int i = 0; i < 230; i++) {
      events.add(new Event(random.nextInt(1_000), i < 200 ? "hog" : "modest" + i % 3, false));
    }
    while (true) {
      Event event = events.remove();
      if (event.at > 20_000 * MILLI) {
        break;
      }
      if (event.leaving) {
        places.leave(event.caller, 10 * MILLI);
        served.merge(event.caller, 1, Integer::sum);
        events.add(new Event(event.at + random.nextInt(1_000), event.caller, false));
      } else if (enters(places, event.caller, event.at)) {
        events.add(new Event(event.at + (5 + random.nextInt(10)) * MILLI, event.caller, true));
      } else {
        events.add(new Event(event.at + (1 + random.nextInt(20)) * MILLI, event.caller, false));
      }
    }
    int all = served.values().stream().mapToInt(Integer::intValue).sum();
    // 20 places for 20 s at 9.5 ms each; some stay free for those who have not come back yet.
    assertThat(all).isGreaterThan(30_000);
    assertThat(served.keySet()).hasSize(4);
    served.values().forEach(one -> assertThat((double) one / all).isBetween(0.18, 0.45));
  }

  private record Event(long at, String caller, boolean leaving) {}
}
