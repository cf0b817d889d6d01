package io.rns.replication.member;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.Allegiance;
import io.rns.replication.DatabaseReport;
import io.rns.replication.MemberReport;
import io.rns.replication.PromotionTerms;
import io.rns.replication.Role;
import io.rns.replication.Term;
import io.rns.replication.Timing;
import io.rns.replication.Topology;
import io.rns.replication.membership.Durability;
import io.rns.replication.membership.MemberPromise;
import io.rns.replication.membership.MemberState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What keeps this member from two primaries at a time: its {@link MemberPromise}, which its database keeps. Database
 * groups fence former primaries themselves; there a promise only orders the changes that operators ask for.
 *
 * <p>Changes happen under the lock of the member; {@link #accepts} and {@link #allegiance} may be asked by any thread.
 */
final class Fence {
  /** Longer than any change of the primary of a database group, which nobody resumes. */
  private static final Duration LONGEST_CHANGE = Duration.ofMinutes(2);

  /** How much older than a report what it says of the database may be. */
  private static final long LOOKED_BEFORE_NANOS = Timing.onOtherClocks(ControlledDatabase.LOOK).toNanos();

  private final GroupSettings settings;
  private final ControlledDatabase beside;
  private final Timing timing;

  /** As last read or written. */
  private volatile MemberPromise known = MemberPromise.NONE;

  /** The highest term of which a step has come, also while it still waits for an earlier change. */
  private final AtomicInteger latest = new AtomicInteger();

  private long cutOffSinceNanos;
  private volatile @Nullable Long strandedSinceNanos;
  private long run = MemberState.UNKNOWN_RUN;

  /** When its database is known to have been in this run, and to have dropped nothing since. */
  private long runSinceNanos;

  /** Null until a primary has answered in this run of the database. */
  private @Nullable Owed owed;

  /**
   * What a primary had when it was first asked in this run of the database: with that, nothing is lost that this member
   * acknowledged in earlier ones.
   *
   * @param term in which it led
   */
  private record Owed(int term, String transactions) {}

  Fence(GroupSettings settings, ControlledDatabase beside, Timing timing) {
    this.settings = settings;
    this.beside = beside;
    this.timing = timing;
  }

  private boolean isOurs() {
    return settings.topology() == Topology.SOURCE_REPLICA;
  }

  /** Reads the promise again, in case the database has come back. */
  MemberPromise refresh() {
    MemberPromise promise = beside.control().promise();
    if (promise.cutOff() > 0 && known.cutOff() == 0) {
      cutOffSinceNanos = timing.nanoTime();
    }
    known = promise;
    return promise;
  }

  private void change(UnaryOperator<MemberPromise> change) {
    MemberPromise before = refresh();
    MemberPromise after = change.apply(before);
    if (!after.equals(before)) {
      beside.control().promise(after);
      known = after;
      if (after.cutOff() > before.cutOff()) {
        cutOffSinceNanos = timing.nanoTime();
      }
    }
  }

  /** A step of a change has come, which may have to wait. By any thread. */
  void announce(Term term) {
    var unused = latest.accumulateAndGet(term.number(), Math::max);
  }

  /**
   * Checks that no step of a later change waits: an earlier one that cannot go on ends then, or the two could keep each
   * other waiting again and again.
   *
   * @throws RnsException {@link RnsError#NOT_PRIMARY} if one does
   */
  void checkLatest(Term term) {
    if (latest.get() > term.number()) {
      throw new RnsException(
          RnsError.NOT_PRIMARY,
          settings.url() + " gives way to a later change of the primary, of term " + latest.get());
    }
  }

  /**
   * Takes part in a change.
   *
   * @throws RnsException {@link RnsError#NOT_PRIMARY} if it has promised a later one
   */
  void obey(Term term) {
    MemberPromise promise = refresh();
    if (!promise.allows(term)) {
      throw new RnsException(
          RnsError.NOT_PRIMARY,
          settings.url() + " has promised " + new Term(promise.term(), promise.proposer()) + " and refuses " + term
              + ": another change of the primary is under way");
    }
    change(before -> before.to(term));
  }

  void cutOff(Term term) {
    change(before -> before.cutOff(term.number()));
  }

  /** Is about to have its database follow a primary that leads, or is about to lead, in a term. */
  void accepting(int leading) {
    change(before -> before.accepting(leading));
  }

  /** Follows a primary that leads, or is about to lead, in a term. */
  void following(int leading) {
    change(before -> before.following(leading));
  }

  /** Follows a primary that leads. */
  void following(MemberReport primary) {
    Allegiance other = primary.allegiance();
    change(before -> before.following(other.accepted()).knowing(other.forced()));
  }

  /** Is about to lead. A commit of the term comes later, so what that has beside its disk is known before. */
  void leading(Term term, PromotionTerms terms) {
    boolean complete = terms.complete() && settings.durability() == Durability.REPLICATED;
    change(before -> {
      MemberPromise leading = before.leading(term.number()).chosen(complete ? term.number() : 0)
          .knowing(terms.alone() ? term.number() : 0);
      // Databases of a group that has elected one do not wait for its server.
      return isOurs() ? leading : leading.cutOff(0);
    });
  }

  /** Leads, or follows again whom it followed, though a change had cut it off. */
  void restored() {
    change(before -> before.following(before.accepted()));
  }

  /** Leads: a commit was acknowledged in the term. */
  void established() {
    change(MemberPromise::established);
  }

  /** It failed to lead in a term, and takes no writes: it waits for who does. */
  void failedToLead(Term term, MemberPromise before) {
    change(now -> before.cutOff(term.number()).chosen(now.chosen()).knowing(now.forced()));
  }

  /** Its database is about to be replaced, and what it acknowledged to be lost. */
  void abandonCopy() {
    owed = null;
    change(before -> before.vouching(MemberState.UNKNOWN_RUN));
  }

  /** Its database was replaced by a copy of a primary's. */
  void copied(MemberReport primary) {
    Allegiance other = primary.allegiance();
    change(before -> before.copied(other.accepted()).knowing(other.forced()));
  }

  MemberPromise known() {
    return known;
  }

  /**
   * The term in which it leads, or that of the primary that it follows; 0 in a database group, where a term is only
   * that of a command and others report none.
   */
  int accepted() {
    return isOurs() ? known.accepted() : 0;
  }

  /** The earliest term whose primary it follows. */
  int least() {
    return isOurs() ? known.least() : 0;
  }

  /** Whether it may follow this primary. */
  boolean accepts(MemberReport primary) {
    return primary.allegiance().accepted() >= least();
  }

  /** Whether a change has cut it off and is not over. */
  boolean isCutOff() {
    return known.cutOff() > 0 && (isOurs() || !timing.passed(LONGEST_CHANGE, cutOffSinceNanos));
  }

  /**
   * How long it has had nobody to follow because of a change: it is cut off, or the only primary leads in an earlier
   * term than it may follow. Zero if that is not so.
   */
  Duration strandedFor() {
    Long since = strandedSinceNanos;
    return since == null ? Duration.ZERO : Duration.ofNanos(timing.nanoTime() - since);
  }

  /**
   * Notes whether it has anybody to follow.
   *
   * @param others what the other members report
   * @param hasPrimary whether it leads, or one of them does whom it may follow
   */
  void sawPrimaries(List<MemberReport> others, boolean hasPrimary) {
    if (!isOurs() || hasPrimary || (known.cutOff() == 0 && !leadsEarlier(others))) {
      strandedSinceNanos = null;
    } else if (strandedSinceNanos == null) {
      strandedSinceNanos = timing.nanoTime();
    }
  }

  /** Whether one of them leads in an earlier term than it may follow. */
  private boolean leadsEarlier(List<MemberReport> others) {
    return others.stream()
        .anyMatch(other -> other.role() == Role.PRIMARY && other.database().isPresent() && !accepts(other));
  }

  /** Whether it was primary last, and no change has ended that. */
  boolean ledLast() {
    return !isOurs() || known.ledLast();
  }

  /**
   * Notes in which run its database is. What it acknowledged in an earlier one may be lost, until it has what the
   * primary had at a moment after the restart.
   */
  void sawRun(MemberState state) {
    if (state.run() != run) {
      run = state.run();
      runSinceNanos = timing.nanoTime();
      owed = null;
    }
  }

  /**
   * Vouches for its database again if that has everything that the primary had at a moment after the restart: what it
   * acknowledged before is part of that. It need not keep up with what the primary writes meanwhile.
   */
  void vouchIfCaughtUp(MemberState state, Heard primary) {
    if (!isOurs() || vouches(state.run())) {
      return;
    }
    noteOwed(primary);
    Owed before = owed;
    if (state.receiving() && before != null && beside.contains(before.transactions())) {
      long vouched = state.run();
      change(promise -> promise.vouching(vouched));
    }
  }

  /** A later primary may never get what an earlier one had without an acknowledgement. */
  private void noteOwed(Heard primary) {
    int term = primary.report().allegiance().accepted();
    Optional<DatabaseReport> database = primary.report().database();
    boolean noted = owed != null && owed.term() == term;
    if (!noted && database.isPresent() && primary.askedNanos() - runSinceNanos > LOOKED_BEFORE_NANOS) {
      owed = new Owed(term, database.get().transactions());
    }
  }

  /**
   * Has its database fetch again what it has received and acknowledged, and cannot apply: it vouches again once it has
   * what the primary has after that.
   */
  void dropReceived(Runnable fetchAgain) {
    owed = null;
    if (isOurs() && vouches(run)) {
      change(before -> before.vouching(MemberState.UNKNOWN_RUN));
    }
    try {
      fetchAgain.run();
    } finally {
      // Not before: until it stops receiving, it acknowledges what it is about to drop.
      runSinceNanos = timing.nanoTime();
    }
  }

  /** Vouches for its database, which is the primary's: what it acknowledged is in its own log. */
  void vouchAsPrimary(MemberState state) {
    if (isOurs() && !vouches(state.run())) {
      change(before -> before.vouching(state.run()));
    }
  }

  private boolean vouches(long inRun) {
    return inRun == MemberState.UNKNOWN_RUN || inRun == known.vouchedRun();
  }

  /**
   * Whom it obeys, and what it hears.
   *
   * @param silence how long it has heard of no primary
   * @param state of its database, as last seen; null if it was never seen
   */
  Allegiance allegiance(Duration silence, @Nullable MemberState state) {
    MemberPromise promise = known;
    boolean vouches = state == null || vouches(state.run());
    return isOurs()
        ? new Allegiance(
            promise.term(), promise.accepted(), promise.cutOff(), promise.led(), promise.chosen(), promise.forced(),
            vouches, silence.toMillis(), beside.quietMillis())
        : new Allegiance(promise.term(), 0, 0, 0, 0, 0, true, silence.toMillis(), beside.quietMillis());
  }
}
