package io.rns.referral;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The order in which servers are asked: by {what is known to answer, what sees what the client has seen, role, site, policy}; of
 * those that have failed, the one whose failure is longest ago comes first. The policy is the better of two, by the client's own
 * calls under way times the round trip it has measured (Mitzenmacher, The Power of Two Choices in Randomized Load Balancing, 2001):
 * drawing two keeps clients that know the same from all choosing the same.
 */
public final class ServerOrder {
  private static final Comparator<Choice> GROUPS =
      Comparator.comparing(Choice::place)
          .thenComparing(Choice::failedMillis, Comparator.reverseOrder())
          .thenComparing(Choice::satisfies, Comparator.reverseOrder())
          .thenComparingInt(Choice::role)
          .thenComparingInt(Choice::distance);

  private ServerOrder() {}

  /**
   * Orders servers, the one to ask first in front.
   *
   * @param candidates the servers
   * @param wish what is needed of them
   * @param random gives a number from 0 up to, and without, its argument
   * @return as many choices as there are candidates
   */
  public static List<Choice> of(List<Candidate> candidates, Wish wish, IntUnaryOperator random) {
    List<Choice> order = new ArrayList<>(candidates.size());
    for (Candidate candidate : candidates) {
      order.add(new Choice(candidate, wish));
    }
    shuffle(order, random);
    // Stable, so equal ones stay as they were drawn: clients that know nothing yet do not all begin with the same.
    order.sort(GROUPS.thenComparingDouble(Choice::cost));
    int equals = 1;
    while (equals < order.size() && GROUPS.compare(order.get(0), order.get(equals)) == 0) {
      equals++;
    }
    if (equals > 2) {
      // Sorted by cost, so the better of two is the one in front.
      int one = random.applyAsInt(equals);
      int other = random.applyAsInt(equals - 1);
      int drawn = Math.min(one, other < one ? other : other + 1);
      order.add(0, order.remove(drawn));
    }
    return List.copyOf(order);
  }

  private static void shuffle(List<Choice> order, IntUnaryOperator random) {
    for (int i = order.size() - 1; i > 0; i--) {
      Collections.swap(order, i, random.applyAsInt(i + 1));
    }
  }
}
