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
 * @param members the addresses of all servers it knows, including itself
 * @param offer its site and capacity, for clients that choose among servers
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
    Offer offer) {
  private static final Comparator<MemberReport> PREVAILING_LAST =
      Comparator.comparingInt(MemberReport::epoch).thenComparing(MemberReport::url, Comparator.reverseOrder());

  /** Copies the addresses. */
  public MemberReport {
    members = List.copyOf(members);
  }

  /** A report without an offer. */
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
    this(name, url, role, position, lag, ageMillis, reason, database, members, Offer.NONE);
  }

  /** This report with an offer. */
  public MemberReport with(Offer other) {
    return new MemberReport(name, url, role, position, lag, ageMillis, reason, database, members, other);
  }

  /** The primary. If several servers claim to be primary, the latest epoch prevails, then the lowest address. */
  public static Optional<MemberReport> primary(Collection<MemberReport> reports) {
    return reports.stream().filter(report -> report.role() == Role.PRIMARY).max(PREVAILING_LAST);
  }

  /** The epoch of its position; 0 without a position. */
  public int epoch() {
    return position.map(Position::epoch).orElse(0);
  }
}
