package io.rns.referral;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The order in which servers are asked: by {what is known to answer, what sees what the client has seen, role, site,
 * policy}; of those that have failed, the one whose failure is longest ago comes first. The policy is the better of
 * two, by the client's own calls under way times the round trip it has measured (Mitzenmacher, The Power of Two Choices
 * in Randomized Load Balancing, 2001): drawing two keeps clients that know the same from all choosing the same.
 */
public final class ServerOrder {
  private ServerOrder() {}

  /**
   * Orders servers, the one to ask first in front.
   *
   * @param candidates the servers
   * @param wish what is needed of them
   * @param random gives a number from 0 up to, and without, its argument
   * @return as many choices as there are candidates
   */
  public static List<Choice> of(List<ServerCandidate> candidates, Wish wish, IntUnaryOperator random) {
    List<Rank> order = new ArrayList<>(candidates.size());
    for (ServerCandidate candidate : candidates) {
      order.add(Rank.of(new Choice(candidate, wish)));
    }
    shuffle(order, random);
    // Stable, so equal ones stay as they were drawn: clients that know nothing yet do not all begin with the same.
    order.sort(Rank.ORDER);
    int equals = 1;
    while (equals < order.size() && order.get(0).compareGroup(order.get(equals)) == 0) {
      equals++;
    }
    if (equals > 2) {
      // Sorted by cost, so the better of two is the one in front.
      int one = random.applyAsInt(equals);
      int other = random.applyAsInt(equals - 1);
      int drawn = Math.min(one, other < one ? other : other + 1);
      order.add(0, order.remove(drawn));
    }
    return order.stream().map(Rank::choice).toList();
  }

  /** What a choice is ordered by: all of it but the cost makes groups of servers that are as good. */
  private record Rank(Choice choice, Choice.Place place, long failedMillis, boolean satisfies, int role, int distance,
      double cost) {
    static final Comparator<Rank> ORDER =
        (one, other) -> {
          int order = one.compareGroup(other);
          return order == 0 ? Double.compare(one.cost, other.cost) : order;
        };

    static Rank of(Choice choice) {
      return new Rank(
          choice, choice.place(), choice.failedMillis(), choice.satisfies(), choice.role(), choice.distance(),
          choice.cost());
    }

    int compareGroup(Rank other) {
      int order = place.compareTo(other.place);
      order = order == 0 ? Long.compare(other.failedMillis, failedMillis) : order;
      order = order == 0 ? Boolean.compare(other.satisfies, satisfies) : order;
      order = order == 0 ? Integer.compare(role, other.role) : order;
      return order == 0 ? Integer.compare(distance, other.distance) : order;
    }
  }

  private static void shuffle(List<Rank> order, IntUnaryOperator random) {
    for (int i = order.size() - 1; i > 0; i--) {
      Collections.swap(order, i, random.applyAsInt(i + 1));
    }
  }
}
