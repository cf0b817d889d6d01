package io.rns.loadtest.handlespace;

import java.util.List;

/** What is measured, and what it is compared with. */
public enum Operation {
  /** One element leaves, one comes; counted as one. */
  REGISTRATION("register and deregister", "registerAndDeregister", "rr lu", 1, 1_000_000),
  /** An element registers again and says the same. */
  RENEWAL("re-register, unchanged", "renew", "rr", 1, 4_300_000),
  /** An element registers again with another load. */
  REPORT("re-register, new load", "report", "lu", 1, 1_700_000),
  /** A timer ends and the next one begins. */
  TIMER("timer", "timer", "rr", 1, 2_400_000),
  /** A user gets one element, which counts as selected. */
  RESOLUTION("resolve, 1 element", "resolve", "rr lu", 1, 5_200_000),
  /** A user gets three elements, which all count as selected. */
  RESOLUTION_OF_THREE("resolve, 3 elements", "resolve", "rr lu", 3, 1_900_000),
  /** A user gets one element that was drawn. */
  DRAW("draw, 1 element", "resolve", "rand", 1, 2_500_000),
  /** A user gets three elements that were drawn. */
  DRAW_OF_THREE("draw, 3 elements", "resolve", "rand", 3, 0),
  /** Another registrar copies all elements. */
  SYNCHRONISATION("copy all elements", "synchronise", "rr", 1, 6_200);

  /** Elements of the pool for which the reference is known. */
  public static final int REFERENCE_ELEMENTS = 10_000;

  private final String text;
  private final String method;
  private final String policies;
  private final int items;
  private final double reference;

  Operation(String text, String method, String policies, int items, double reference) {
    this.text = text;
    this.method = method;
    this.policies = policies;
    this.items = items;
    this.reference = reference;
  }

  String method() {
    return method;
  }

  List<String> policies() {
    return List.of(policies.split(" ", -1));
  }

  int items() {
    return items;
  }

  /**
   * What the implementation in C that the papers used (rsplib) does per second, one thread, with
   * {@value #REFERENCE_ELEMENTS} elements in one pool, on a machine like but not the same as ours; 0 where it was not
   * measured.
   */
  public double reference() {
    return reference;
  }

  @Override
  public String toString() {
    return text;
  }
}
