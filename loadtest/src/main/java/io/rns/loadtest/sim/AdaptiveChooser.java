package io.rns.loadtest.sim;

import io.rns.handlespace.ResolutionOutcome.Selected;
import io.rns.pool.AdaptiveUser;
import io.rns.pool.Health;
import io.rns.pool.Prospect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The user of an adaptive pool, by the rules of production ({@link AdaptiveUser}, {@link Health}): it goes to the next
 * element at once where one has no room, and leaves out for a while what fails.
 */
final class AdaptiveChooser implements Chooser {
  private record Known(Selected selected, int place, long asOfMillis, double until) {}

  private final Calendar calendar;
  private final AdaptiveUser user;
  private final double keptSeconds;
  private final RandomGenerator random;
  private final Map<Integer, Known> known = new HashMap<>();
  private final Map<Integer, Health> health = new HashMap<>();
  private final Set<Integer> tried = new HashSet<>();

  AdaptiveChooser(Calendar calendar, AdaptiveUser user, double keptSeconds, RandomGenerator random) {
    this.calendar = calendar;
    this.user = user;
    this.keptSeconds = keptSeconds;
    this.random = random;
  }

  @Override
  public OptionalInt known() {
    // What was named for this request serves until it is used up, whatever its age.
    if (tried.isEmpty()) {
      known.values().removeIf(k -> k.until() <= calendar.now());
    }
    OptionalInt chosen = choose();
    if (chosen.isEmpty()) {
      known.clear();
      tried.clear();
    }
    return chosen;
  }

  @Override
  public OptionalInt learn(List<Selected> named, long asOfMillis) {
    for (int i = 0; i < named.size(); i++) {
      Selected one = named.get(i);
      known.put(one.element().id() - 1, new Known(one, i, asOfMillis, calendar.now() + keptSeconds));
    }
    return choose();
  }

  private OptionalInt choose() {
    List<Prospect> prospects = new ArrayList<>();
    known.forEach(
        (number, k) -> {
          if (!tried.contains(number)) {
            prospects.add(prospect(number, k));
          }
        });
    List<Prospect> order = user.order(prospects, calendar.millis(), random);
    return order.isEmpty() ? OptionalInt.empty() : OptionalInt.of((int) order.get(0).standing().number());
  }

  private Prospect prospect(int number, Known k) {
    return new Prospect(k.selected().standing(), k.place(), k.asOfMillis(), 0, 0, 0,
        health.getOrDefault(number, Health.GOOD));
  }

  @Override
  public boolean rejected(int element) {
    tried.add(element);
    boolean another = known.keySet().stream().anyMatch(number -> !tried.contains(number) && !isOut(number));
    if (!another) {
      // What is left has failed before: rather ask again, a little later, than try it for lack of another.
      known.clear();
      tried.clear();
    }
    return another;
  }

  private boolean isOut(int element) {
    return health.getOrDefault(element, Health.GOOD).isOut(calendar.millis());
  }

  @Override
  public void failed(int element) {
    health.put(element, health.getOrDefault(element, Health.GOOD).failed(calendar.millis()));
  }

  @Override
  public void served(int element) {
    health.remove(element);
  }

  @Override
  public void over() {
    tried.clear();
  }
}
