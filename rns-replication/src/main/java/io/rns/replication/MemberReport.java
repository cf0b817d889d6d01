package io.rns.replication;

import io.rns.api.Position;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A server's report about itself.
 *
 * @param name for people
 * @param url its address
 * @param role its role
 * @param position the position its reads see; empty if it has no readable copy
 * @param lag its replication lag
 * @param ageMillis upper bound for the staleness of its reads
 * @param reason what is wrong with it; empty if nothing is
 * @param database its database; empty if that is unreachable
 * @param members the addresses of the servers it knows, including itself, by which others find them
 * @param list the members of the group, as its database has them; of a primary, as it has committed them
 * @param allegiance whom it obeys, and what it hears
 * @param offer its site and capacity, for clients that choose among servers
 * @param access what access rules mean at it: open, log or closed; empty if it does not report that
 */
public record MemberReport(
    String name,
    String url,
    Role role,
    Optional<Position> position,
    Lag lag,
    long ageMillis,
    String reason,
    Optional<DatabaseReport> database,
    List<String> members,
    MemberList list,
    Allegiance allegiance,
    Offer offer,
    String access) {
  private static final Comparator<MemberReport> PREVAILING_LAST =
      Comparator.<MemberReport>comparingInt(report -> report.allegiance().accepted())
          .thenComparingInt(MemberReport::epoch)
          .thenComparing(MemberReport::url, Comparator.reverseOrder());

  /** Copies the addresses. */
  public MemberReport {
    members = List.copyOf(members);
  }

  /** A report of a member that promised nothing, without a list of members or an offer. */
  public MemberReport(
      String name,
      String url,
      Role role,
      Optional<Position> position,
      Lag lag,
      long ageMillis,
      String reason,
      Optional<DatabaseReport> database,
      List<String> members) {
    this(name, url, role, position, lag, ageMillis, reason, database, members, MemberList.NONE, Allegiance.NONE,
        Offer.NONE, "");
  }

  /** This report with an offer. */
  public MemberReport with(Offer other) {
    return new MemberReport(
        name, url, role, position, lag, ageMillis, reason, database, members, list, allegiance, other, access);
  }

  /** This report with what access rules mean. */
  public MemberReport withAccess(String other) {
    return new MemberReport(
        name, url, role, position, lag, ageMillis, reason, database, members, list, allegiance, offer, other);
  }

  /** This report with an allegiance. */
  public MemberReport with(Allegiance other) {
    return new MemberReport(
        name, url, role, position, lag, ageMillis, reason, database, members, list, other, offer, access);
  }

  /**
   * The primary. If several servers claim to be primary, the latest term and epoch prevails, then the lowest address.
   */
  public static Optional<MemberReport> primary(Collection<MemberReport> reports) {
    MemberReport prevailing = null;
    for (MemberReport report : reports) {
      boolean leads = report.role() == Role.PRIMARY;
      if (leads && (prevailing == null || PREVAILING_LAST.compare(report, prevailing) > 0)) {
        prevailing = report;
      }
    }
    return Optional.ofNullable(prevailing);
  }

  /** The epoch of its position; 0 without a position. */
  public int epoch() {
    return position.map(Position::epoch).orElse(0);
  }
}
