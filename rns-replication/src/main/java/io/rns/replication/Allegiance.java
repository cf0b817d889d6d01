package io.rns.replication;

/**
 * Whom a member obeys, and what it hears.
 *
 * @param promised highest term that it promised; 0 if none
 * @param accepted highest term in which it led or followed who led; of a primary, the term in which it leads
 * @param cutOff the term for which it is cut off; 0 if it is not
 * @param led highest term in which it led, so that a commit of it was acknowledged; 0 if none
 * @param chosen highest term in which it led, or a failover without force had it lead since it had all that was
 *        acknowledged, so that its database has all writes acknowledged in earlier terms and those of this one; 0 if
 *        none
 * @param forced the highest term known in which a member was made to lead by force; 0 if none
 * @param vouches whether its database is sure to have what it acknowledged: it has not been restarted, or has caught up
 *        with the primary since
 * @param silentMillis how long it has heard of no primary
 * @param quietMillis for how long no transaction has come to its database, at least
 */
public record Allegiance(int promised, int accepted, int cutOff, int led, int chosen, int forced, boolean vouches,
    long silentMillis,
    long quietMillis) {
  /** Of a member that promised and heard nothing. */
  public static final Allegiance NONE = new Allegiance(0, 0, 0, 0, 0, 0, true, 0, 0);

  /** Members of earlier versions report only whether they led. */
  public Allegiance {
    chosen = Math.max(chosen, led);
  }

  /** This one, with the terms in which a later one says that it took part. */
  Allegiance inTermsOf(Allegiance later) {
    return new Allegiance(promised, later.accepted, cutOff, later.led, later.chosen, forced, vouches, silentMillis,
        quietMillis);
  }

  /** The highest term in which it took part. */
  int took() {
    return Math.max(accepted, chosen);
  }

  /** The earliest term whose primary it follows. */
  public int least() {
    return Math.max(accepted, cutOff);
  }

  /** The highest term that it knows. */
  public int latest() {
    return Math.max(promised, Math.max(accepted, cutOff));
  }
}
