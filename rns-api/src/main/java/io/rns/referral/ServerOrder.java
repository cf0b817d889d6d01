package io.rns.referral;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The order in which a client contacts servers: by {likelihood of an answer, freshness, role, site, policy}. Among
 * failed servers the one with the oldest failure comes first. The policy is the better of two random choices by the
 * client's calls in flight times the measured round trip (Mitzenmacher, The Power of Two Choices in Randomized Load
 * Balancing, 2001): choosing among two keeps clients with the same information from all choosing the same server.
 */
public final class ServerOrder {
  private ServerOrder() {}

  /**
   * Orders servers, best first.
   *
   * @param candidates the servers
   * @param wish the requirements of the call
   * @param random returns a number from 0 (inclusive) to its argument (exclusive)
   * @return as many choices as there are candidates
   */
  public static List<Choice> of(List<ServerCandidate> candidates, Wish wish, IntUnaryOperator random) {
    List<Rank> order = new ArrayList<>(candidates.size());
    for (ServerCandidate candidate : candidates) {
      order.add(Rank.of(new Choice(candidate, wish)));
    }
    shuffle(order, random);
    // The sort is stable, so equal servers stay shuffled: new clients do not all start with the same server.
    order.sort(Rank.ORDER);
    int equals = 1;
    while (equals < order.size() && order.get(0).compareGroup(order.get(equals)) == 0) {
      equals++;
    }
    if (equals > 2) {
      // The servers are sorted by cost, so the better of two is the one in front.
      int one = random.applyAsInt(equals);
      int other = random.applyAsInt(equals - 1);
      int drawn = Math.min(one, other < one ? other : other + 1);
      order.add(0, order.remove(drawn));
    }
    return order.stream().map(Rank::choice).toList();
  }

  /** The ranking criteria; servers equal in all but the cost form a group. */
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
