package io.rns.server.group;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.DatabaseReport;
import io.rns.replication.Lag;
import io.rns.replication.LocalCopy;
import io.rns.replication.Member;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import io.rns.replication.Standing;
import io.rns.replication.Standings;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.store.Database;
import io.rns.server.store.DatabaseMember;
import io.rns.server.store.Durability;
import io.rns.server.store.MemberState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This server as a member of its group: the one place where its role, its database's side and its copy of the tree change,
 * always together. Thread-safe.
 */
final class LocalMember implements Member, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalMember.class);
  private static final Duration APPLY = Duration.ofSeconds(10);

  /** Longer than any change of the primary takes, so that nobody acknowledges the old one while there may be a new one. */
  private static final Duration LONGEST_CHANGE = Duration.ofMinutes(2);

  private final GroupSettings settings;
  private final Database database;
  private final ControlledDatabase beside;
  private final Supplier<LocalNameService> openCopy;
  private final Standings standings;
  private final Supplier<List<String>> known;
  private final ReentrantLock changing = new ReentrantLock();
  private volatile @Nullable LocalNameService copy;

  /** Whether the copy is known to belong to the tree of the group, and goes on with it. */
  private boolean following;

  /** Since when it is cut off from its source by a change of the primary, by {@link System#nanoTime}; null if it is not. */
  private @Nullable Long cutOffSince;

  /**
   * A member that knows nothing of its database yet.
   *
   * @param connect reaches the database for control
   * @param openCopy begins to follow what the database has; fails while it has no tables
   * @param known the addresses of all servers that are known
   */
  LocalMember(
      GroupSettings settings,
      Database database,
      Supplier<DatabaseMember> connect,
      Supplier<LocalNameService> openCopy,
      Standings standings,
      Supplier<List<String>> known) {
    this.settings = settings;
    this.database = database;
    this.beside = new ControlledDatabase(connect, settings.databaseAddress());
    this.openCopy = openCopy;
    this.standings = standings;
    this.known = known;
  }

  @Override
  public String url() {
    return settings.url();
  }

  /** The copy of the tree, if there is one. */
  @Nullable LocalNameService copy() {
    return copy;
  }

  @Override
  public MemberReport report() {
    return report(beside::recentReport);
  }

  /** What it tells after a change, on which others rely. */
  private MemberReport reportNow() {
    return report(beside::report);
  }

  private MemberReport report(Supplier<DatabaseReport> look) {
    Standing standing = standings.now();
    LocalNameService names = copy;
    Optional<DatabaseReport> databaseReport;
    String reason = standing.reason();
    try {
      databaseReport = Optional.of(look.get());
    } catch (RnsException e) {
      databaseReport = Optional.empty();
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
        databaseReport,
        known.get());
  }

  // ---- what others tell it to do

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
    following = false;
    become(Role.REPLICA, Optional.empty(), why);
    LocalNameService names = copy;
    if (names != null) {
      names.standDown(why);
    }
    beside.control().makeReadOnly();
  }

  @Override
  public MemberReport stopReceiving() {
    changing.lock();
    try {
      DatabaseMember member = beside.control();
      cutOffSince = System.nanoTime();
      member.stopReceiving();
      if (!member.awaitApplied(APPLY)) {
        throw new RnsException(
            RnsError.UNAVAILABLE, settings.url() + " has not applied what it received within " + APPLY.toSeconds() + " s");
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
  public void follow(String source, String primary) {
    changing.lock();
    try {
      if (standings.now().role() == Role.PRIMARY) {
        demote("another server is the primary");
      }
      replicateFrom(source);
      followLog();
      become(following ? Role.REPLICA : Role.STARTING, Optional.of(primary), "");
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
   * Makes the copy anew from the primary's, which goes on taking writes, and follows from there.
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if this is the primary itself
   */
  MemberReport join(MemberReport primary) {
    changing.lock();
    try {
      if (standings.now().role() == Role.PRIMARY) {
        throw new RnsException(RnsError.INVALID_REQUEST, settings.url() + " is the primary; make another one that first");
      }
      copyFrom(primary);
      return reportNow();
    } finally {
      changing.unlock();
    }
  }

  private void copyFrom(MemberReport primary) {
    String source = primary.database().map(DatabaseReport::address)
        .orElseThrow(() -> new RnsException(RnsError.UNAVAILABLE, "the database of " + primary.url() + " cannot be reached"));
    leave(Role.STARTING, primary.url(), "its copy is being made from that of the primary");
    LOG.info("copying the database of {}", primary.url());
    DatabaseAddress address = DatabaseAddress.parse(source);
    beside.control().copyFrom(address.host(), address.port());
    replicateFrom(source);
    followLog();
    become(following ? Role.REPLICA : Role.STARTING, Optional.of(primary.url()), "");
  }

  /** To be called when it is known that what the database has, the primary has, too. */
  private void followLog() {
    openIfThereIsSomething();
    LocalNameService names = copy;
    if (names != null) {
      names.follow();
      following = true;
    }
  }

  @Override
  public MemberReport lead() {
    changing.lock();
    try {
      if (standings.now().role() != Role.PRIMARY) {
        promote();
      }
      return reportNow();
    } finally {
      changing.unlock();
    }
  }

  private void promote() {
    cutOffSince = null;
    DatabaseMember member = beside.control();
    member.makeWritable(settings.durability());
    try {
      database.migrate();
      LocalNameService names = opened();
      LOG.info("the primary from position {} on", names.lead());
    } catch (RuntimeException e) {
      member.makeReadOnly();
      throw e;
    }
    become(Role.PRIMARY, Optional.of(settings.url()), "");
  }

  private LocalNameService opened() {
    LocalNameService names = copy;
    if (names == null) {
      names = openCopy.get();
      copy = names;
    }
    return names;
  }

  private void become(Role role, Optional<String> primary, String reason) {
    Standing before = standings.now();
    boolean serves = role == Role.PRIMARY || (role == Role.REPLICA && following);
    Optional<LocalCopy> readable = serves ? Optional.ofNullable(copy) : Optional.empty();
    Standing after = new Standing(role, readable, primary, reason);
    if (!after.equals(before)) {
      standings.set(after);
      LOG.info("{}{}{}", role, primary.map(url -> ", the primary is " + url).orElse(", no primary is known"),
          reason.isEmpty() ? "" : ": " + reason);
    }
  }

  // ---- what it does by itself

  /**
   * Takes the side that fits what the database is and what the other members tell, unless a change is under way.
   *
   * @param others what could be learnt of the other members
   * @param asked asks one of them
   */
  void settle(List<MemberReport> others, Function<String, Member> asked) {
    if (!changing.tryLock()) {
      return;
    }
    try {
      MemberState state = beside.look();
      Optional<MemberReport> primary =
          others.stream()
              .filter(report -> report.role() == Role.PRIMARY)
              .max((a, b) -> Integer.compare(a.epoch(), b.epoch()));
      if (standings.now().role() == Role.PRIMARY) {
        settlePrimary(state, primary);
      } else if (primary.isPresent()) {
        settleReplica(state, primary.get(), asked);
      } else {
        settleAlone(state, others);
      }
    } catch (RnsException e) {
      Standing now = standings.now();
      if (now.role() == Role.STARTING) {
        standings.set(Standing.starting(String.valueOf(e.getMessage())));
      }
    } finally {
      changing.unlock();
    }
  }

  private void settlePrimary(MemberState state, Optional<MemberReport> other) {
    LocalNameService names = opened();
    if (other.isPresent() && other.get().epoch() > names.position().epoch()) {
      demote("another server is the primary");
    } else if (!names.isPrimary()) {
      demote("the tree has another primary");
    } else {
      if (!state.writable()) {
        LOG.warn("the database has come back read-only; this server is still the primary");
        beside.control().makeWritable(settings.durability());
      }
      boolean unheard = settings.durability() == Durability.REPLICATED && state.acknowledging() == 0;
      names.refuseWrites(
          unheard
              ? "no replica acknowledges writes, so they are refused (RNS_DURABILITY=local would take them)"
              : null);
    }
  }

  private void settleReplica(MemberState state, MemberReport primary, Function<String, Member> asked) {
    if (primary.database().isEmpty()) {
      return;
    }
    LocalNameService names = copy;
    boolean isNew = names == null || primary.epoch() > names.position().epoch();
    if (isCutOff() && !isNew) {
      return;
    }
    String source = primary.database().get().address();
    if (state.writable()) {
      beside.control().makeReadOnly();
    }
    if (state.transactions().isEmpty()) {
      // New, and the log of the primary may not go back to its beginning.
      copyFrom(primary);
      return;
    }
    boolean itsSource = state.source().equals(Optional.of(source));
    if ((!itsSource || !following) && !asked.apply(primary.url()).contains(state.transactions())) {
      leave(
          Role.OUTSIDE,
          primary.url(),
          "its database has transactions that the primary has not; ./rns join makes it anew from the primary");
      return;
    }
    if (!itsSource || !state.receiving() || !state.applying()) {
      // Also a database that was started again: it does not begin by itself.
      replicateFrom(source);
    }
    followLog();
    become(
        following ? Role.REPLICA : Role.STARTING,
        Optional.of(primary.url()),
        state.trouble().orElse(following ? "" : "waiting for the tables of the primary"));
  }

  /** What this copy has is not part of the tree, or will not be in a moment; who watches it goes elsewhere. */
  private void leave(Role role, String primary, String why) {
    following = false;
    LocalNameService names = copy;
    copy = null;
    become(role, Optional.of(primary), why);
    if (names != null) {
      names.close();
    }
  }

  private boolean isCutOff() {
    return cutOffSince != null && System.nanoTime() - cutOffSince < LONGEST_CHANGE.toNanos();
  }

  private void settleAlone(MemberState state, List<MemberReport> others) {
    openIfThereIsSomething();
    LocalNameService names = copy;
    boolean latest = names != null && others.stream().allMatch(other -> other.epoch() <= names.position().epoch());
    if (state.writable() && latest && names.position().epoch() > 0) {
      LOG.info("the database takes writes and no other member is the primary");
      promote();
      return;
    }
    become(following ? Role.REPLICA : Role.STARTING, Optional.empty(), "no primary is known");
  }

  private void openIfThereIsSomething() {
    try {
      opened();
    } catch (RnsException e) {
      LOG.debug("nothing to read yet: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    changing.lock();
    try {
      LocalNameService names = copy;
      if (names != null) {
        names.close();
      }
      beside.close();
    } finally {
      changing.unlock();
    }
  }
}
