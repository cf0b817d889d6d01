package io.rns.loadtest.handlespace;

/**
 * What one operation reached.
 *
 * @param what the operation, or the ordered set
 * @param policy the policy of the pool; for ordered sets what moves in them
 * @param elements how many elements the pool or set had
 * @param perSecond operations per second, one thread: the median of the iterations
 * @param error half of the 99.9 % confidence interval of their mean
 * @param reference what the reference reaches; 0 if there is none
 */
public record Rate(String what, String policy, int elements, double perSecond, double error, double reference) {
  /**
   * Operations per element and second, as the paper draws them: how often each element may do it while nothing else
   * happens.
   */
  public double perElement() {
    return perSecond / elements;
  }

  /** How many times the reference; 0 if there is none. */
  public double ratio() {
    return reference == 0 ? 0 : perSecond / reference;
  }
}
