package io.rns.server.group;

import io.rns.error.RnsException;
import io.rns.replication.DatabaseReport;
import io.rns.replication.Lag;
import io.rns.replication.MemberReport;
import io.rns.replication.Standing;
import io.rns.replication.Standings;
import io.rns.server.namespace.LocalNameService;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What this server tells of itself. Thread-safe. */
final class OwnReport {
  private final GroupSettings settings;
  private final Standings standings;
  private final TreeCopy copy;
  private final Supplier<List<String>> known;

  OwnReport(GroupSettings settings, Standings standings, TreeCopy copy, Supplier<List<String>> known) {
    this.settings = settings;
    this.standings = standings;
    this.copy = copy;
    this.known = known;
  }

  /**
   * The report.
   *
   * @param look looks at the database
   */
  MemberReport with(Supplier<DatabaseReport> look) {
    Standing standing = standings.now();
    LocalNameService names = copy.now();
    Optional<DatabaseReport> database;
    String reason = standing.reason();
    try {
      DatabaseReport seen = look.get();
      database = Optional.of(seen);
      if (reason.isEmpty()) {
        reason = seen.trouble().orElse("");
      }
    } catch (RnsException e) {
      database = Optional.empty();
      reason = String.valueOf(e.getMessage());
    }
    return new MemberReport(
        settings.name(),
        settings.url(),
        standing.role(),
        Optional.ofNullable(names).map(LocalNameService::position),
        names == null ? Lag.NONE : names.lag(),
        names == null ? 0 : names.ageMillis(),
        reason,
        database,
        known.get());
  }
}
