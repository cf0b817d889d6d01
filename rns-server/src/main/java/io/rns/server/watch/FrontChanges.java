package io.rns.server.watch;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.rns.api.Change;
import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.referral.ServerRole;
import io.rns.server.group.Membership;
import io.rns.server.namespace.ChangeFeed;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.store.LoggedChange;
import io.rns.server.store.PlacedChange;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a front learns of the change log in one step.
 *
 * @param position up to which the front knows all changes then
 * @param ageMillis all that was acknowledged this long before the front asked is at or before the position; -1 if that
 *        is not known
 * @param shared whether the front may keep answers at all
 * @param changes from the position on that the front named
 */
record FrontChanges(Position position, long ageMillis, boolean shared, List<Place> changes) {
  private static final long UNKNOWN = -1;

  /**
   * A changed entry, and where it was before if it moved.
   *
   * @param path none for a change after which nothing holds that was known
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  record Place(long sequence, Optional<RnsPath> path, Optional<RnsPath> oldPath) {}

  /** Where a front begins: nothing is known of what was before. */
  static FrontChanges begin(ChangeFeed feed, boolean shared) {
    return new FrontChanges(feed.last(), UNKNOWN, shared, List.of());
  }

  /**
   * The changes behind a position.
   *
   * @param most how long to wait for one
   * @throws RnsException as {@link ChangeFeed#resume} and {@link ChangeFeed#after}
   */
  static FrontChanges after(
      Position known, Duration most, Membership membership, ChangeFeed feed, LocalNameService copy, boolean shared)
      throws InterruptedException {
    // Before the changes are read: what is read later is newer than that.
    long age = age(membership, copy);
    Position served = copy.position();
    Position from = known.epoch() == feed.last().epoch() ? known : feed.resume(known);
    List<LoggedChange> changes = feed.logged(from, served.sequence() > from.sequence() ? Duration.ZERO : most);
    Position to = changes.isEmpty() ? from : changes.getLast().position();
    Position last = feed.last();
    if (to.sequence() == last.sequence() && last.covers(to)) {
      // A primary has begun an epoch, without a change yet.
      to = last;
    }
    List<Place> places = changes.stream().map(FrontChanges::place).toList();
    return new FrontChanges(to, to.covers(served) ? age : UNKNOWN, shared, places);
  }

  private static long age(Membership membership, LocalNameService copy) {
    if (membership.role() != ServerRole.PRIMARY) {
      long millis = copy.ageMillis();
      // 0 is that of a primary, which this server is no longer, or not yet.
      return millis == 0 ? UNKNOWN : millis;
    }
    try {
      copy.checkLatest();
      return 0;
    } catch (RnsException e) {
      return UNKNOWN;
    }
  }

  static Place place(LoggedChange logged) {
    long sequence = logged.position().sequence();
    Optional<Change> told = logged.movesContent() ? Optional.empty() : logged.told().map(PlacedChange::change);
    // A directory that a path just reaches shows how many entries it has, to which none leads.
    return told.filter(change -> logged.oldPlace() == null || change.oldPath().isPresent())
        .map(change -> new Place(sequence, Optional.of(change.path()), change.oldPath()))
        .orElseGet(() -> new Place(sequence, Optional.empty(), Optional.empty()));
  }
}
