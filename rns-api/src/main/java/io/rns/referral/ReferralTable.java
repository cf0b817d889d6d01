package io.rns.referral;

import io.rns.api.RnsPath;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

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
   * Returns a table with what one server reported, and without expired referrals. What is {@link #isStale stale} is
   * ignored. A report with the root lists all parts, so the others are forgotten with it.
   */
  public ReferralTable with(List<Referral> report, long nowNanos) {
    List<Referral> fresh = report.stream().filter(referral -> !isStale(referral, nowNanos)).toList();
    if (fresh.isEmpty()) {
      return this;
    }
    Map<RnsPath, Row> changed = new LinkedHashMap<>();
    boolean complete = fresh.stream().anyMatch(referral -> referral.prefix().isRoot());
    for (Row row : rows) {
      RnsPath prefix = row.referral().prefix();
      boolean stays = !complete || report.stream().anyMatch(referral -> referral.prefix().equals(prefix));
      if (stays && row.nanosLeft(nowNanos) > 0) {
        changed.put(prefix, row);
      }
    }
    for (Referral referral : fresh) {
      if (changed.remove(referral.prefix()) == null && changed.size() >= MOST) {
        changed.values().stream().min((a, b) -> Long.compare(a.nanosLeft(nowNanos), b.nanosLeft(nowNanos)))
            .ifPresent(first -> changed.remove(first.referral().prefix()));
      }
      changed.put(referral.prefix(), new Row(referral, nowNanos));
    }
    return new ReferralTable(List.copyOf(changed.values()));
  }

  /**
   * Whether a referral is of an earlier epoch than an unexpired one for the same part and server group: its server has
   * missed a change of primary. Epochs of different groups have no order; there the later report counts.
   */
  public boolean isStale(Referral referral, long nowNanos) {
    return rows.stream()
        .anyMatch(
            row -> row.referral().prefix().equals(referral.prefix()) && row.referral().epoch() > referral.epoch()
                && isSameGroup(row.referral(), referral) && row.nanosLeft(nowNanos) > 0);
  }

  private static boolean isSameGroup(Referral one, Referral other) {
    return one.group().isEmpty() || other.group().isEmpty() || one.group().equals(other.group());
  }

  /** The referral for the servers of a group: an unexpired one; empty if there is none. */
  public Optional<Row> ofGroup(int group, long nowNanos) {
    return rows.stream()
        .filter(row -> row.referral().group().equals(OptionalInt.of(group)) && row.nanosLeft(nowNanos) > 0)
        .findFirst();
  }

  /** The referral for the content of a directory: the unexpired one with the longest prefix; empty if there is none. */
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
