package io.rns.server.group;

import io.rns.api.Position;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The answer to {@code /group/members}.
 *
 * @param epoch in which the list was last written
 * @param version of the list
 */
record MemberTableJson(int epoch, long version, List<Row> members) {
  /**
   * A member, with what it last reported.
   *
   * @param lagMillis the median; empty if it does not answer
   * @param term in which it leads or follows; empty if it does not answer
   * @param state what is wrong with it; empty if nothing is
   */
  record Row(
      String url,
      Instant since,
      boolean reachable,
      String role,
      Optional<Position> position,
      Optional<Long> lagMillis,
      Optional<Integer> term,
      String state) {}

  static MemberTableJson of(MemberList list, List<MemberReport> reports) {
    return new MemberTableJson(
        list.epoch(), list.version(), list.members().stream().map(member -> row(member, reports)).toList());
  }

  private static Row row(MemberList.Member member, List<MemberReport> reports) {
    Optional<MemberReport> report = reports.stream().filter(each -> each.url().equals(member.url())).findFirst();
    return new Row(
        member.url(),
        Instant.ofEpochMilli(member.sinceMillis()),
        report.isPresent(),
        report.map(each -> each.role().name().toLowerCase(Locale.ROOT)).orElse("unknown"),
        report.flatMap(MemberReport::position),
        report.map(each -> each.lag().p50Millis()),
        report.map(each -> each.allegiance().accepted()),
        report.map(MemberReport::reason).orElse("does not answer"));
  }
}
