package io.rns.replication;

import io.rns.api.Position;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a server of a group tells about itself.
 *
 * @param name for people
 * @param url its address
 * @param role what it is
 * @param position what its reads see; empty if it has nothing to read
 * @param lag how long changes took to come to it
 * @param ageMillis how old what it reads may be
 * @param reason what is wrong with it; empty if nothing is
 * @param database its database; empty if that cannot be reached
 * @param members the addresses of the servers that it knows, its own among them
 * @param offer what those need to know who choose among servers
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

  /** A report of a server that offers nothing in particular. */
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

  /** The same with an offer. */
  public MemberReport with(Offer other) {
    return new MemberReport(name, url, role, position, lag, ageMillis, reason, database, members, other);
  }

  /**
   * The primary. Of several that say they are it that of the latest epoch prevails, and of those of one epoch that with
   * the first address.
   */
  public static Optional<MemberReport> primary(Collection<MemberReport> reports) {
    return reports.stream().filter(report -> report.role() == Role.PRIMARY).max(PREVAILING_LAST);
  }

  /** The epoch of its position; 0 if it has none. */
  public int epoch() {
    return position.map(Position::epoch).orElse(0);
  }
}
