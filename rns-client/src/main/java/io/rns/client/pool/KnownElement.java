package io.rns.client.pool;

import io.rns.pool.ElementExperience;
import io.rns.pool.Health;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.Prospect;
import io.rns.pool.SharedExperience;

/** An element as one user knows it. Guarded by its {@link PoolView}. */
final class KnownElement {
  /** How much of the cost stays when an answer was cheaper. */
  private static final double KEPT = 0.8;

  /** How many times another response time is as long to be news. */
  private static final double NEWS = 2;

  /** How long a cost is believed without an answer: then it is tried whether a slow element has recovered. */
  private static final long BELIEVED_MILLIS = 30_000;

  final long knownSinceMillis;
  private Selected selected;
  private long resolvedMillis;
  private long reportedMillis;
  private long sequence;
  private long inFlight;
  private double costMillis;
  private volatile Health health = Health.GOOD;
  private boolean reported;

  /** Whether it has answered since it was resolved: then this user knows better than others. */
  private boolean answeredSince;

  private long answeredMillis = Long.MIN_VALUE / 2;

  /** The response time that was told or heard last, in ms; 0 if none was. */
  private double toldMillis;

  KnownElement(Selected selected, long nowMillis) {
    this.knownSinceMillis = nowMillis;
    this.selected = selected;
    update(selected, nowMillis);
  }

  /** It was resolved again. */
  final void update(Selected again, long nowMillis) {
    selected = again;
    resolvedMillis = nowMillis;
    answeredSince = false;
    toldMillis = again.shared().millis();
    reportedMillis = nowMillis - again.reportedMillis();
  }

  Serving serving() {
    return new Serving(selected.id(), selected.endpoints());
  }

  int id() {
    return selected.id();
  }

  Prospect prospect(long nowMillis) {
    return new Prospect(selected.standing(), sequence, reportedMillis, knownSinceMillis, inFlight, cost(nowMillis),
        shownHealth());
  }

  /** Its own cost, unless none is known any more, or others have since met a much higher one. */
  private double cost(long nowMillis) {
    double heard = selected.shared().millis();
    boolean isKnown = costMillis > 0 && nowMillis - answeredMillis <= BELIEVED_MILLIS;
    return isKnown && (answeredSince || heard <= NEWS * costMillis) ? costMillis : heard;
  }

  private Health shownHealth() {
    long failing = selected.shared().failingMillis();
    return failing == 0 || answeredSince || hasFailed() ? health : Health.outUntil(resolvedMillis + failing);
  }

  /** Whether others should hear of its response time: it is not what they know, or they believe that it fails. */
  boolean isNews() {
    boolean other = toldMillis == 0 || costMillis > NEWS * toldMillis || toldMillis > NEWS * costMillis;
    return answeredSince && (other || selected.shared().failingMillis() > 0);
  }

  /** The response time for others, who then have heard of it. */
  ElementExperience tell() {
    toldMillis = costMillis;
    selected = selected.with(SharedExperience.NONE);
    return ElementExperience.answered(id(), Math.round(costMillis));
  }

  /** Whether its last answer was none. */
  boolean hasFailed() {
    return health.hasFailed();
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
  void answered(long millis, long nowMillis) {
    answeredMillis = nowMillis;
    double cost = millis;
    costMillis = cost >= costMillis ? cost : KEPT * costMillis + (1 - KEPT) * cost;
    health = health.succeeded();
    reported = false;
    answeredSince = true;
  }

  /** It turned a request away, which must not look like a cheap answer. */
  void rejected(long penaltyMillis, long nowMillis) {
    answeredMillis = nowMillis;
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
