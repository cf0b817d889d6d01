package io.rns.loadtest.sim;

/** How the capacity of a pool is shared out among its elements (section 3.2 of the paper). */
public enum Distribution {
  /** One element is fast, all others are alike. */
  ONE_FAST,
  /** Three elements are fast, all others are alike. */
  THREE_FAST,
  /** Even steps from the slowest to the fastest. */
  LINEAR;

  /** The capacity of each element; the fast ones come last. Equations 4 and 5 of the paper. */
  double[] capacities(int elements, double total, double ratio) {
    return switch (this) {
      case ONE_FAST -> stepped(elements, 1, total, ratio);
      case THREE_FAST -> stepped(elements, 3, total, ratio);
      case LINEAR -> sloped(elements, total, ratio);
    };
  }

  private static double[] stepped(int elements, int fast, double total, double ratio) {
    double slow = total / (fast * (ratio - 1) + elements);
    double[] capacities = new double[elements];
    for (int i = 0; i < elements; i++) {
      capacities[i] = i < elements - fast ? slow : ratio * slow;
    }
    return capacities;
  }

  private static double[] sloped(int elements, double total, double ratio) {
    double slowest = total / (elements * ((ratio - 1) / 2 + 1));
    double[] capacities = new double[elements];
    for (int i = 0; i < elements; i++) {
      capacities[i] = slowest + (ratio - 1) * slowest * i / (elements - 1);
    }
    return capacities;
  }
}
