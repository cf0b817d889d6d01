package io.rns.rserpool;

import io.rns.pool.ElementExperience;
import java.util.List;

/**
 * What users have met at elements of one pool, as one registrar tells another.
 *
 * @param handle of the pool
 * @param reports 1 to {@value #REPORTS}
 */
public record PoolExperience(Octets handle, List<Report> reports) {
  /** The maximum number of reports, which a parameter can hold. */
  public static final int REPORTS = 4_000;

  /** Copies. */
  public PoolExperience {
    reports = List.copyOf(reports);
  }

  /**
   * A user's report.
   *
   * @param host a number of the user's host
   * @param experience what the user has met
   */
  public record Report(long host, ElementExperience experience) {}
}
