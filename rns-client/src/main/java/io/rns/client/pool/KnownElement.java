package io.rns.client.pool;

import io.rns.pool.ElementExperience;
import io.rns.pool.Health;
import io.rns.pool.PoolResolution.Selected;
import io.rns.pool.Prospect;
import io.rns.pool.SharedExperience;

/** An element as one user knows it. Guarded by its {@link PoolView}. */
final class KnownElement {
  /**
   * By how much an answer that took longer or less raises or lowers the cost, at most: it then settles where about a
   * quarter of the answers are, so that few long requests among short ones do not make an element look slow.
   */
  private static final double RISE = 1.5;
  private static final double FALL = 3;

  /** How many times another response time is as long to be news. */
  private static final double NEWS = 2;

  /** How long a cost is believed without an answer: then it is tried whether a slow element has recovered. */
  private static final long BELIEVED_MILLIS = 30_000;

  final long knownSinceMillis;
  private Selected selected;
  private long resolvedMillis;
  private long sequence;
  private long inFlight;

  /** Since when it has given no sign of life although it holds requests. */
  private long silentSinceMillis;

  private boolean isWatched;
  private boolean isSilent;
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
  }

  Serving serving() {
    return new Serving(selected.id(), selected.endpoints());
  }

  int id() {
    return selected.id();
  }

  Prospect prospect(long nowMillis) {
    return new Prospect(selected.standing(), sequence, resolvedMillis, knownSinceMillis, inFlight, cost(nowMillis),
        shownHealth());
  }

  /** Its own cost, unless none is known any more, or others have since met a much higher one. */
  double cost(long nowMillis) {
    double heard = selected.shared().millis();
    return hasCost(nowMillis) && (answeredSince || heard <= NEWS * costMillis) ? costMillis : heard;
  }

  private Health shownHealth() {
    long failing = selected.shared().failingMillis();
    return failing == 0 || answeredSince || hasFailed() ? health : Health.outUntil(resolvedMillis + failing);
  }

  /**
   * Whether others should hear of its response time, or how long an answer is missing: it is not what they know, or
   * they believe that it fails.
   */
  boolean isNews() {
    boolean other = toldMillis == 0 || costMillis > NEWS * toldMillis || toldMillis > NEWS * costMillis;
    return (answeredSince || isSilent) && (other || selected.shared().failingMillis() > 0);
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

  void began(long turn, long nowMillis) {
    sequence = turn;
    silentSinceMillis = inFlight == 0 ? nowMillis : silentSinceMillis;
    inFlight++;
  }

  void ended(long nowMillis) {
    inFlight--;
    silentSinceMillis = nowMillis;
  }

  /** Whether its silence is to be watched from now on: nobody does, and how long its answers take is not known. */
  boolean watch(long nowMillis) {
    boolean begins = !isWatched && !hasCost(nowMillis);
    isWatched = isWatched || begins;
    return begins;
  }

  /**
   * Looks at a watched element: an answer that is still missing has taken so long at least, and its cost rises to that.
   *
   * @return how long it has been silent; 0 if the watch is over, since it has answered or holds no request
   */
  long silence(long nowMillis) {
    isWatched = isWatched && inFlight > 0;
    if (!isWatched) {
      return 0;
    }
    long silent = Math.max(1, nowMillis - silentSinceMillis);
    costMillis = hasCost(nowMillis) ? Math.max(costMillis, (double) silent) : silent;
    answeredMillis = nowMillis;
    isSilent = true;
    return silent;
  }

  private boolean hasCost(long nowMillis) {
    return costMillis > 0 && nowMillis - answeredMillis <= BELIEVED_MILLIS;
  }

  /** The cost goes towards how long the answer took. */
  void answered(long millis, long nowMillis) {
    double before = hasCost(nowMillis) ? costMillis : millis;
    double cost = millis > before ? Math.min((double) millis, before * RISE) : Math.max((double) millis, before / FALL);
    // What takes no measurable time is known all the same.
    costMillis = Math.max(1, cost);
    answeredMillis = nowMillis;
    heard();
    health = health.succeeded();
    reported = false;
    answeredSince = true;
  }

  /** It turned a request away, which must not look like a cheap answer. */
  void rejected(long penaltyMillis, long nowMillis) {
    answeredMillis = nowMillis;
    costMillis = Math.max(costMillis, (double) penaltyMillis);
    heard();
    reported = false;
  }

  private void heard() {
    isWatched = false;
    isSilent = false;
  }

  /** Whether this failure is to be reported: the first since it answered last. */
  boolean failed(long nowMillis) {
    health = health.failed(nowMillis);
    boolean first = !reported;
    reported = true;
    return first;
  }
}
