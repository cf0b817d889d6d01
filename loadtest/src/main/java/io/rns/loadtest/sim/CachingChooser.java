package io.rns.loadtest.sim;

import io.rns.handlespace.ResolutionOutcome.Selected;
import io.rns.pool.Candidate;
import io.rns.pool.Distance;
import io.rns.pool.Policy;
import io.rns.pool.SelectionState;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * The user of the paper: keeps what it was told for a while, applies the pool's policy to it, and forgets an element
 * that rejects.
 */
final class CachingChooser implements Chooser {
  private record Cached(int element, SelectionState standing, long sequence, double until) implements Candidate {}

  private final Calendar calendar;
  private final Policy policy;
  private final double keptSeconds;
  private final RandomGenerator random;
  private final List<Cached> cache = new ArrayList<>();
  private long sequence;

  CachingChooser(Calendar calendar, Policy policy, double keptSeconds, RandomGenerator random) {
    this.calendar = calendar;
    this.policy = policy;
    this.keptSeconds = keptSeconds;
    this.random = random;
  }

  @Override
  public OptionalInt known() {
    cache.removeIf(cached -> cached.until() <= calendar.now());
    return choose();
  }

  @Override
  public OptionalInt learn(List<Selected> named, long asOfMillis) {
    cache.removeIf(cached -> cached.until() <= calendar.now());
    for (Selected one : named) {
      int element = one.element().id() - 1;
      cache.removeIf(cached -> cached.element() == element);
      SelectionState standing = SelectionState.fresh(one.element().registration().parameters(), Distance.NONE, element);
      cache.add(new Cached(element, standing, sequence++, calendar.now() + keptSeconds));
    }
    return choose();
  }

  private OptionalInt choose() {
    List<Cached> order = policy.order(cache, random);
    if (order.isEmpty()) {
      return OptionalInt.empty();
    }
    Cached first = order.get(0);
    cache.remove(first);
    cache.add(new Cached(first.element(), policy.charge(first.standing()), sequence++, first.until()));
    return OptionalInt.of(first.element());
  }

  @Override
  public boolean rejected(int element) {
    cache.removeIf(cached -> cached.element() == element);
    return false;
  }
}
