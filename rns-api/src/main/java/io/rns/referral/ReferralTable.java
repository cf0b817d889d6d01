package io.rns.referral;

import io.rns.api.RnsPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The referrals a client has received, by part of the tree. Immutable: each change returns a new table. Times are in
 * nanoseconds of any monotonic clock.
 */
public final class ReferralTable {
  /** Maximum number of parts; an additional one replaces the one that expires first. */
  public static final int MOST = 64;

  /** A table without referrals. */
  public static final ReferralTable EMPTY = new ReferralTable(List.of());

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final List<Row> rows;

  private ReferralTable(List<Row> rows) {
    this.rows = List.copyOf(rows);
  }

  /**
   * The referral for one part of the tree.
   *
   * @param referral the referral
   * @param toldNanos when it was received
   */
  public record Row(Referral referral, long toldNanos) {
    /** The remaining time to live in ns; 0 or less once expired. */
    public long nanosLeft(long nowNanos) {
      return referral.ttlMillis() * NANOS_PER_MILLI - (nowNanos - toldNanos);
    }
  }

  /**
   * Returns a table with a new referral and without expired ones. A referral from an earlier epoch than an unexpired
   * one for the same part is ignored: its server has missed a change of primary.
   */
  public ReferralTable with(Referral referral, long nowNanos) {
    List<Row> changed = new ArrayList<>();
    for (Row row : rows) {
      boolean same = row.referral().prefix().equals(referral.prefix());
      if (row.nanosLeft(nowNanos) > 0) {
        if (same && row.referral().epoch() > referral.epoch()) {
          return this;
        }
        if (!same) {
          changed.add(row);
        }
      }
    }
    if (changed.size() >= MOST) {
      changed.stream().min((a, b) -> Long.compare(a.nanosLeft(nowNanos), b.nanosLeft(nowNanos)))
          .ifPresent(changed::remove);
    }
    changed.add(new Row(referral, nowNanos));
    return new ReferralTable(changed);
  }

  /** The referral for a path: the unexpired one with the longest prefix; empty if there is none. */
  public Optional<Row> at(RnsPath path, long nowNanos) {
    Row narrowest = null;
    for (Row row : rows) {
      RnsPath prefix = row.referral().prefix();
      boolean narrower = narrowest == null || prefix.depth() > narrowest.referral().prefix().depth();
      if (narrower && prefix.contains(path) && row.nanosLeft(nowNanos) > 0) {
        narrowest = row;
      }
    }
    return Optional.ofNullable(narrowest);
  }

  /** All referrals, including those that expired since the last change of the table. */
  public List<Row> rows() {
    return rows;
  }

  /** The number of referrals, including those that expired since the last change of the table. */
  public int size() {
    return rows.size();
  }
}
