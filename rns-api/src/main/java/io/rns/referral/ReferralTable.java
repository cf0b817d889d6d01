package io.rns.referral;

import io.rns.api.RnsPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a client was told of the servers, by the part of the tree that it is about. Immutable: each change makes another
 * table. Times are in nanoseconds of any clock that only goes forward.
 */
public final class ReferralTable {
  /** The number of parts, at most; one more takes the place of that which ends first. */
  public static final int MOST = 64;

  /** Nothing was told. */
  public static final ReferralTable EMPTY = new ReferralTable(List.of());

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final List<Row> rows;

  private ReferralTable(List<Row> rows) {
    this.rows = List.copyOf(rows);
  }

  /**
   * What was told of one part.
   *
   * @param referral what
   * @param toldNanos when it came
   */
  public record Row(Referral referral, long toldNanos) {
    /** How long it may still be used; 0 or less if it may not. */
    public long nanosLeft(long nowNanos) {
      return referral.ttlMillis() * NANOS_PER_MILLI - (nowNanos - toldNanos);
    }
  }

  /**
   * The table with news, and without what has ended. News of an epoch before that of what is there, and has not ended,
   * come from a server that has missed a change of the primary: they change nothing.
   */
  public ReferralTable with(Referral told, long nowNanos) {
    List<Row> changed = new ArrayList<>();
    for (Row row : rows) {
      boolean same = row.referral().prefix().equals(told.prefix());
      if (row.nanosLeft(nowNanos) > 0) {
        if (same && row.referral().epoch() > told.epoch()) {
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
    changed.add(new Row(told, nowNanos));
    return new ReferralTable(changed);
  }

  /**
   * What was told of a path: of the parts that it is in, the narrowest; empty if nothing was, or all of it has ended.
   */
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

  /** What was told of each part, also of those that have ended since the last news. */
  public List<Row> rows() {
    return rows;
  }

  /** The number of parts, also of those that have ended since the last news. */
  public int size() {
    return rows.size();
  }
}
