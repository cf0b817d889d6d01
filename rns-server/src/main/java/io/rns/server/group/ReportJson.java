package io.rns.server.group;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.rns.api.Position;
import io.rns.replication.Allegiance;
import io.rns.replication.DatabaseReport;
import io.rns.replication.Lag;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import io.rns.replication.Offer;
import io.rns.replication.Role;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The report of a member as JSON.
 *
 * @param epoch that of the position
 * @param lagMillis the median, as members of earlier versions write it
 * @param list null if a member of an earlier version reports
 * @param allegiance null if a member of an earlier version reports
 * @param offer null if a member of an earlier version reports
 * @param access null if a member of an earlier version reports
 */
record ReportJson(
    String name,
    String url,
    Role role,
    int epoch,
    Optional<Position> position,
    long lagMillis,
    LagJson lag,
    long ageMillis,
    String state,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<DatabaseReport> database,
    List<String> members,
    @Nullable MemberList list,
    @Nullable Allegiance allegiance,
    @Nullable Offer offer,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String access) {
  private record LagJson(long p50Millis, long p99Millis, int samples) {}

  static ReportJson of(MemberReport report) {
    Lag lag = report.lag();
    return new ReportJson(
        report.name(),
        report.url(),
        report.role(),
        report.epoch(),
        report.position(),
        lag.p50Millis(),
        new LagJson(lag.p50Millis(), lag.p99Millis(), lag.samples()),
        report.ageMillis(),
        report.reason(),
        report.database(),
        report.members(),
        report.list(),
        report.allegiance(),
        report.offer(),
        report.access().isEmpty() ? null : report.access());
  }

  /** The report that was written. */
  MemberReport report() {
    return new MemberReport(
        name,
        url,
        role,
        position,
        new Lag(lag.samples(), lag.p50Millis(), lag.p99Millis()),
        ageMillis,
        state,
        database,
        members,
        list == null ? MemberList.NONE : list,
        allegiance == null ? Allegiance.NONE : allegiance,
        offer == null ? Offer.NONE : offer,
        access == null ? "" : access);
  }
}
