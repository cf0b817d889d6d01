package io.rns.replication.member;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.CurrentRole;
import io.rns.replication.DatabaseReport;
import io.rns.replication.GroupMember;
import io.rns.replication.MemberReport;
import io.rns.replication.PromotionTerms;
import io.rns.replication.Role;
import io.rns.replication.RoleState;
import io.rns.replication.Timing;
import io.rns.replication.membership.Durability;
import io.rns.replication.membership.MemberState;
import io.rns.replication.membership.MembershipStep;
import io.rns.replication.membership.MembershipView;
import io.rns.replication.membership.TopologyRules;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This server as a member of its group: the one place where its role, its database's side and its copy of the tree
 * change, always together. Thread-safe.
 *
 * @param <C> its copies of the tree
 */
public final class LocalMember<C extends MemberCopy> implements GroupMember, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalMember.class);
  private static final Duration APPLY = Duration.ofSeconds(10);
  /** Other members start to follow at the same moment, and a database retries its source once a second. */
  private static final Duration FIRST_ACKNOWLEDGEMENT = Duration.ofSeconds(10);

  /**
   * Longer than any change of the primary, so that no replica acknowledges the old one while there may be a new one.
   */
  private static final Duration LONGEST_CHANGE = Duration.ofMinutes(2);

  private static final String NO_PRIMARY = "no primary is known";

  private final GroupSettings settings;
  private final Runnable migrate;
  private final ControlledDatabase beside;
  private final CurrentRole standings;
  private final OwnReport report;
  private final TopologyRules rules;
  private final Timing timing;
  private final Lock changing;
  private final TreeCopy<C> copy;

  private final LeaderWatch leader;

  /**
   * Since when it is cut off from its source by a change of the primary, by {@link Timing#nanoTime}; null if it is not.
   */
  private @Nullable Long cutOffSince;

  /**
   * A member that knows nothing of its database yet.
   *
   * @param migrate brings the tables of its database up to date
   * @param connect reaches the database for control
   * @param openCopy begins to follow what the database has; fails while it has no tables
   * @param known the addresses of all servers that are known
   */
  public LocalMember(
      GroupSettings settings,
      Runnable migrate,
      Supplier<DatabaseMember> connect,
      Supplier<C> openCopy,
      CurrentRole standings,
      Supplier<List<String>> known,
      Timing timing) {
    this.settings = settings;
    this.timing = timing;
    this.changing = timing.newLock();
    this.leader = new LeaderWatch(timing.nanoTime());
    this.migrate = migrate;
    this.beside = new ControlledDatabase(connect, settings.databaseAddress(), timing);
    this.copy = new TreeCopy<>(openCopy);
    this.standings = standings;
    this.report = new OwnReport(settings, standings, copy, known);
    this.rules = TopologyRules.of(settings.topology(), settings.durability());
  }

  @Override
  public String url() {
    return settings.url();
  }

  /** The copy of the tree, if there is one. */
  @Nullable
  public C copy() {
    return copy.now();
  }

  @Override
  public MemberReport report() {
    return report.with(beside::recentReport);
  }

  /** Its report after a change, on which others rely. */
  private MemberReport reportNow() {
    return report.with(beside::report);
  }

  // ---- commands of others

  @Override
  public MemberReport stepDown() {
    changing.lock();
    try {
      if (standings.now().role() != Role.PRIMARY) {
        throw new RnsException(RnsError.NOT_PRIMARY, settings.url() + " is not the primary");
      }
      demote("the primary is changing");
      return reportNow();
    } finally {
      changing.unlock();
    }
  }

  /** Takes no more writes; who waits goes on waiting until another primary is known. */
  private void demote(String why) {
    copy.doubt();
    become(Role.REPLICA, Optional.empty(), why);
    copy.standDown(why);
    beside.control().makeReadOnly();
  }

  @Override
  public MemberReport stopReceiving() {
    changing.lock();
    try {
      DatabaseMember member = beside.control();
      cutOffSince = timing.nanoTime();
      member.stopReceiving();
      if (!member.awaitApplied(APPLY)) {
        throw new RnsException(
            RnsError.UNAVAILABLE,
            settings.url() + " has not applied what it received within " + APPLY.toSeconds() + " s");
      }
      return reportNow();
    } finally {
      changing.unlock();
    }
  }

  @Override
  public boolean contains(String transactions) {
    return beside.contains(transactions);
  }

  @Override
  public void checkReaches(String source) {
    DatabaseAddress address = DatabaseAddress.parse(source);
    beside.control().checkReaches(address.host(), address.port());
  }

  @Override
  public void follow(String source, String primary) {
    changing.lock();
    try {
      if (standings.now().role() == Role.PRIMARY) {
        demote("another server is the primary");
      }
      replicateFrom(source);
      copy.follow();
      become(
          copy.isFollowing() ? Role.REPLICA : Role.STARTING,
          primary.isEmpty() ? Optional.empty() : Optional.of(primary),
          primary.isEmpty() ? NO_PRIMARY : "");
    } finally {
      changing.unlock();
    }
  }

  private void replicateFrom(String source) {
    cutOffSince = null;
    DatabaseAddress address = DatabaseAddress.parse(source);
    beside.control().follow(address.host(), address.port());
  }

  /**
   * Rebuilds the copy from the primary's, which continues to take writes, and follows from there.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if this is the primary itself
   */
  public MemberReport join(MemberReport primary) {
    changing.lock();
    try {
      if (standings.now().role() == Role.PRIMARY) {
        throw new RnsException(RnsError.INVALID_REQUEST,
            settings.url() + " is the primary; promote another server first");
      }
      copyFrom(primary);
      return reportNow();
    } finally {
      changing.unlock();
    }
  }

  private void copyFrom(MemberReport primary) {
    String source = primary.database().map(DatabaseReport::address)
        .orElseThrow(
            () -> new RnsException(RnsError.UNAVAILABLE, "the database of " + primary.url() + " cannot be reached"));
    leave(Role.STARTING, primary.url(), "its copy is being made from that of the primary");
    LOG.info("copying the database of {}", primary.url());
    DatabaseAddress address = DatabaseAddress.parse(source);
    beside.control().copyFrom(address.host(), address.port());
    replicateFrom(source);
    copy.follow();
    become(copy.isFollowing() ? Role.REPLICA : Role.STARTING, Optional.of(primary.url()), "");
  }

  @Override
  public MemberReport lead(PromotionTerms beginning) {
    changing.lock();
    try {
      if (standings.now().role() != Role.PRIMARY) {
        promote(beginning, FIRST_ACKNOWLEDGEMENT);
      }
      return reportNow();
    } finally {
      changing.unlock();
    }
  }

  private void promote(PromotionTerms beginning, Duration patience) {
    cutOffSince = null;
    new Promotion(settings, migrate, beside, copy, timing).begin(beginning, patience);
    become(Role.PRIMARY, Optional.of(settings.url()), "");
  }

  private void become(Role role, Optional<String> primary, String reason) {
    RoleState before = standings.now();
    boolean serves = role == Role.PRIMARY || (role == Role.REPLICA && copy.isFollowing());
    RoleState after = new RoleState(role, copy.readable(serves), primary, reason);
    if (!after.equals(before)) {
      standings.set(after);
      LOG.info("{}{}{}", role, primary.map(url -> ", the primary is " + url).orElse(", no primary is known"),
          reason.isEmpty() ? "" : ": " + reason);
    }
  }

  // ---- what it does automatically

  /**
   * Takes the role that fits the database's state and the other members' reports, unless a change is under way.
   *
   * @param others what could be learnt of the other members
   * @param asked asks one of them
   */
  public void settle(List<MemberReport> others, Function<String, GroupMember> asked) {
    if (!changing.tryLock()) {
      return;
    }
    try {
      Optional<MemberReport> primary = MemberReport.primary(others);
      settle(others, primary, asked);
    } catch (RnsException e) {
      LOG.debug("the database's role could not be changed: {}", e.getMessage());
      RoleState now = standings.now();
      if (now.role() != Role.PRIMARY) {
        become(now.role(), now.primary(), String.valueOf(e.getMessage()));
      }
    } finally {
      changing.unlock();
    }
  }

  private void settle(List<MemberReport> others, Optional<MemberReport> primary, Function<String, GroupMember> asked) {
    MemberState state;
    try {
      state = beside.look();
    } catch (RnsException e) {
      settleWithoutDatabase(primary, String.valueOf(e.getMessage()));
      return;
    }
    if (primary.isEmpty()) {
      copy.openIfThereIsSomething();
    }
    MembershipView sight = sight(state, others, primary);
    take(
        rules.next(sight, () -> asked.apply(primary.orElseThrow().url()).contains(state.transactions())), sight);
  }

  private MembershipView sight(MemberState state, List<MemberReport> others, Optional<MemberReport> primary) {
    MemberCopy names = copy.now();
    Role role = standings.now().role();
    boolean led = role == Role.PRIMARY || primary.filter(report -> report.database().isPresent()).isPresent();
    return new MembershipView(
        settings.url(),
        role,
        state,
        copy.epoch(),
        names != null && names.isPrimary(),
        copy.isFollowing(),
        isCutOff(),
        primary,
        others,
        report.membersKnown(),
        leader.listen(led, names, timing.nanoTime()));
  }

  /** Requests go to the current primary. */
  private void settleWithoutDatabase(Optional<MemberReport> primary, String why) {
    Role role = standings.now().role();
    if (role == Role.PRIMARY) {
      if (primary.isPresent() && primary.get().epoch() > copy.epoch()) {
        demote("another server is the primary");
      }
      return;
    }
    become(role, primary.map(MemberReport::url), role == Role.STARTING ? why : standings.now().reason());
  }

  private void take(MembershipStep step, MembershipView sight) {
    MemberState state = sight.state();
    switch (step) {
      case MembershipStep.Wait wait -> {
      }
      case MembershipStep.StayPrimary(boolean writable) -> stayPrimary(state, writable);
      case MembershipStep.StepDown(String why) -> demote(why);
      case MembershipStep.Lead(String why) -> {
        int latest = sight.others().stream().mapToInt(MemberReport::epoch).max().orElse(0);
        promote(PromotionTerms.after(latest), Duration.ZERO);
        LOG.info("{}", why);
      }
      case MembershipStep.KnowNoPrimary(boolean belongs) -> knowNoPrimary(belongs);
      case MembershipStep.Follow(MemberReport primary, Optional<String> source) -> follow(primary, source, state);
      case MembershipStep.Copy(MemberReport primary) -> copyFrom(primary);
      case MembershipStep.StayOutside(MemberReport primary) -> stayOutside(primary, state);
    }
  }

  private void stayOutside(MemberReport primary, MemberState state) {
    if (standings.now().role() == Role.PRIMARY) {
      demote("another server is the primary");
    } else if (state.writable()) {
      beside.control().makeReadOnly();
    }
    leave(
        Role.OUTSIDE,
        primary.url(),
        "its database has transactions that the primary lacks; ./rns join rebuilds it from the primary");
  }

  private void stayPrimary(MemberState state, boolean writable) {
    if (!writable) {
      LOG.warn("the database has come back read-only; this server is still the primary");
      beside.control().makeWritable(settings.durability());
    }
    boolean unheard = settings.durability() == Durability.REPLICATED && state.acknowledging().orElse(0) == 0;
    copy.opened().refuseWrites(
        unheard
            ? "no replica acknowledges writes, so they are refused (RNS_DURABILITY=local would take them)"
            : null);
  }

  private void follow(MemberReport primary, Optional<String> source, MemberState state) {
    if (state.writable()) {
      beside.control().makeReadOnly();
    }
    source.ifPresent(this::replicateFrom);
    copy.follow();
    become(
        copy.isFollowing() ? Role.REPLICA : Role.STARTING,
        Optional.of(primary.url()),
        state.trouble().orElse(copy.isFollowing() ? "" : "waiting for the tables of the primary"));
  }

  private void knowNoPrimary(boolean belongs) {
    if (belongs) {
      copy.follow();
    } else if (standings.now().role() == Role.OUTSIDE) {
      // Also without a primary: the promotion of another member must not wait for this one's transactions.
      become(Role.OUTSIDE, Optional.empty(), standings.now().reason());
      return;
    }
    become(copy.isFollowing() ? Role.REPLICA : Role.STARTING, Optional.empty(), NO_PRIMARY);
  }

  /** What this copy has is not part of the tree, or will not be in a moment; who watches it goes elsewhere. */
  private void leave(Role role, String primary, String why) {
    copy.doubt();
    become(role, Optional.of(primary), why);
    copy.close();
  }

  private boolean isCutOff() {
    return cutOffSince != null && timing.nanoTime() - cutOffSince < LONGEST_CHANGE.toNanos();
  }

  @Override
  public void close() {
    changing.lock();
    try {
      copy.close();
      beside.close();
    } finally {
      changing.unlock();
    }
  }
}
