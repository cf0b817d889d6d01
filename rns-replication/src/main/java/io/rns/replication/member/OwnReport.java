package io.rns.replication.member;

import io.rns.api.Position;
import io.rns.error.RnsException;
import io.rns.replication.Allegiance;
import io.rns.replication.CurrentRole;
import io.rns.replication.DatabaseReport;
import io.rns.replication.Lag;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import io.rns.replication.Offer;
import io.rns.replication.RoleState;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** This server's reports of itself. Thread-safe. */
final class OwnReport {
  private final GroupSettings settings;
  private final CurrentRole standings;
  private final TreeCopy<?> copy;
  private final Supplier<List<String>> known;
  private final Supplier<MemberList> list;
  private final Supplier<Allegiance> allegiance;

  OwnReport(
      GroupSettings settings,
      CurrentRole standings,
      TreeCopy<?> copy,
      Supplier<List<String>> known,
      Supplier<MemberList> list,
      Supplier<Allegiance> allegiance) {
    this.settings = settings;
    this.standings = standings;
    this.copy = copy;
    this.known = known;
    this.list = list;
    this.allegiance = allegiance;
  }

  /**
   * The report.
   *
   * @param look looks at the database
   */
  MemberReport with(Supplier<DatabaseReport> look) {
    Optional<DatabaseReport> database;
    Optional<String> unreachable = Optional.empty();
    try {
      database = Optional.of(look.get());
    } catch (RnsException e) {
      database = Optional.empty();
      unreachable = Optional.of(String.valueOf(e.getMessage()));
    }
    MemberCopy names = copy.now();
    Optional<Position> position = Optional.ofNullable(names).map(MemberCopy::position);
    // Behind its position: one that is no primary any more must not call itself the primary of the next one's epoch.
    RoleState standing = standings.now();
    String reason =
        standing.reason().isEmpty() ? database.flatMap(DatabaseReport::trouble).orElse("") : standing.reason();
    return new MemberReport(
        settings.name(),
        settings.url(),
        standing.role(),
        position,
        names == null ? Lag.NONE : names.lag(),
        names == null ? 0 : names.ageMillis(),
        unreachable.orElse(reason),
        database,
        known.get(),
        list.get(),
        allegiance.get(),
        Offer.NONE,
        "");
  }
}
