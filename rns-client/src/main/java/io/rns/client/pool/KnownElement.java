package io.rns.client.pool;

import io.rns.pool.Health;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.Prospect;

/** An element as one user knows it. Guarded by its {@link PoolView}. */
final class KnownElement {
  /** How much of the cost stays when an answer was cheaper. */
  private static final double KEPT = 0.8;

  final long knownSinceMillis;
  private Selected selected;
  private long reportedMillis;
  private long sequence;
  private long inFlight;
  private double costMillis;
  private volatile Health health = Health.GOOD;
  private boolean reported;

  KnownElement(Selected selected, long nowMillis) {
    this.knownSinceMillis = nowMillis;
    this.selected = selected;
    this.reportedMillis = nowMillis - selected.reportedMillis();
  }

  /** It was resolved again. */
  void update(Selected again, long nowMillis) {
    selected = again;
    reportedMillis = nowMillis - again.reportedMillis();
  }

  Serving serving() {
    return new Serving(selected.id(), selected.endpoints());
  }

  int id() {
    return selected.id();
  }

  Prospect prospect() {
    return new Prospect(selected.standing(), sequence, reportedMillis, knownSinceMillis, inFlight, costMillis, health);
  }

  /** Whether its last answer was none. */
  boolean hasFailed() {
    return health.failures() > 0;
  }

  boolean isOut(long nowMillis) {
    return health.isOut(nowMillis);
  }

  void began(long turn) {
    sequence = turn;
    inFlight++;
  }

  void ended() {
    inFlight--;
  }

  /** A cost that rises at once and falls slowly. */
  void answered(long millis) {
    double cost = millis;
    costMillis = cost >= costMillis ? cost : KEPT * costMillis + (1 - KEPT) * cost;
    health = health.succeeded();
    reported = false;
  }

  /** It turned a request away, which must not look like a cheap answer. */
  void rejected(long penaltyMillis) {
    costMillis = Math.max(costMillis, (double) penaltyMillis);
    reported = false;
  }

  /** Whether this failure is to be reported: the first since it answered last. */
  boolean failed(long nowMillis) {
    health = health.failed(nowMillis);
    boolean first = !reported;
    reported = true;
    return first;
  }
}
