package io.rns.replication.member;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.Allegiance;
import io.rns.replication.CurrentRole;
import io.rns.replication.DatabaseReport;
import io.rns.replication.GroupMember;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import io.rns.replication.PromotionTerms;
import io.rns.replication.Role;
import io.rns.replication.RoleState;
import io.rns.replication.Term;
import io.rns.replication.Timing;
import io.rns.replication.Topology;
import io.rns.replication.membership.MemberPromise;
import io.rns.replication.membership.MemberState;
import io.rns.replication.membership.MembershipStep;
import io.rns.replication.membership.MembershipView;
import io.rns.replication.membership.TopologyRules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
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
  /** On an idle machine all that was received is applied within this; nothing has to wait for it then. */
  private static final Duration APPLY = Duration.ofMillis(50);
  /** Other members start to follow at the same moment, and a database retries its source once a second. */
  private static final Duration FIRST_ACKNOWLEDGEMENT = Duration.ofSeconds(10);

  /** How long a promise waits for what the member is about to do. */
  private static final Duration PROMISE = Duration.ofSeconds(1);

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
  private final CommitWatch commits;

  private final FormerPrimary former;
  private final NextPrimary nextPrimary;

  private final Fence fence;
  private final OtherMembers peers;
  private final CommittedMembers list;

  /** Whether it has ended receiving since it is no member. */
  private boolean away;

  /** Whether the last report to a change had all that its database will have until it follows somebody else. */
  private boolean reportedAll;

  /** The primary as it reported last, with its database; null before the first one did. */
  private @Nullable MemberReport lastPrimary;

  /** The view of the group of this turn, for what is decided beside the role; null if it has none. */
  private volatile @Nullable MembershipView view;

  /**
   * A member that knows nothing of its database yet.
   *
   * @param migrate brings the tables of its database up to date
   * @param connect reaches the database for control
   * @param openCopy begins to follow what the database has; fails while it has no tables
   * @param peers the other members as this one sees them
   * @param lease how long after a commit a primary answers reads as the primary
   */
  public LocalMember(
      GroupSettings settings,
      Runnable migrate,
      Supplier<DatabaseMember> connect,
      Supplier<C> openCopy,
      CurrentRole standings,
      OtherMembers peers,
      Duration lease,
      Timing timing) {
    this.settings = settings;
    this.timing = timing;
    this.changing = timing.newLock();
    this.leader = new LeaderWatch(timing.nanoTime());
    this.commits = new CommitWatch(timing);
    this.former = new FormerPrimary(lease, timing::nanoTime);
    this.nextPrimary = new NextPrimary(timing::nanoTime);
    this.migrate = migrate;
    this.beside = new ControlledDatabase(connect, settings.databaseAddress(), timing);
    this.copy = new TreeCopy<>(openCopy);
    this.standings = standings;
    this.fence = new Fence(settings, beside, timing);
    this.peers = peers;
    this.report = new OwnReport(settings, standings, copy, peers::known, this::members, this::allegiance);
    this.list = new CommittedMembers(settings, beside, copy, peers, changing, timing);
    this.rules = TopologyRules.of(settings.topology(), settings.durability(), settings.automatic());
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
    return report.with(this::recentReport);
  }

  /**
   * A primary that does not commit is as good as one without a database: others wait for no sign of life from it. Of
   * one that is becoming the primary, others wait to see that it counts acknowledgements.
   */
  private DatabaseReport recentReport() {
    commits.check();
    return beside.recentReport(standings.isPromoting() ? Duration.ZERO : ControlledDatabase.LOOK);
  }

  /** Its report after a change, on which others rely. */
  private MemberReport reportNow() {
    return report.with(beside::report);
  }

  private Allegiance allegiance() {
    return fence.allegiance(silence(), beside.lastSeen());
  }

  private Duration silence() {
    return standings.now().role() == Role.PRIMARY ? Duration.ZERO : leader.silence(timing.nanoTime());
  }

  /** The members, as its database has them; of a primary, as it has committed them. */
  private MemberList members() {
    return standings.now().role() == Role.PRIMARY ? list.now() : beside.lastMembers();
  }

  /** The view on which this turn decided its role; null if it did not, since it is changing or has no database. */
  @Nullable
  MembershipView view() {
    return view;
  }

  Fence fence() {
    return fence;
  }

  // ---- commands of others

  @Override
  public MemberReport promise(Term term) {
    fence.announce(term);
    if (!tryChanging(PROMISE)) {
      throw new RnsException(RnsError.UNAVAILABLE, settings.url() + " is busy with another change of its role");
    }
    try {
      fence.obey(term);
      return reported(reportNow());
    } finally {
      changing.unlock();
    }
  }

  /** Its report to a change. A database that may take writes may end another one afterwards. */
  private MemberReport reported(MemberReport now) {
    reportedAll = now.role() != Role.PRIMARY && now.database().filter(each -> !each.writable()).isPresent();
    return now;
  }

  private boolean tryChanging(Duration most) {
    try {
      return changing.tryLock(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RnsException(RnsError.UNAVAILABLE, "the server is stopping", e);
    }
  }

  @Override
  public MemberReport stepDown(Term term) {
    fence.announce(term);
    changing.lock();
    try {
      fence.obey(term);
      if (standings.now().role() != Role.PRIMARY) {
        throw new RnsException(RnsError.NOT_PRIMARY, settings.url() + " is not the primary");
      }
      fence.cutOff(term);
      endWriting("the primary is changing");
      return reported(reportNow());
    } finally {
      changing.unlock();
    }
  }

  /**
   * Takes no more writes, and answers reads of sessions all the time if its database has nothing but what was
   * acknowledged.
   */
  private void endWriting(String why) {
    boolean settled = false;
    copy.standDown(why);
    try {
      // A restarted database has committed what it had not been answered for: perhaps no replica has that.
      settled = beside.control().tryReadOnly() && copy.showsAll();
    } finally {
      if (settled) {
        // Until it follows the next primary it receives nothing. A database group sends it all the time.
        standings.setReconnecting(settings.topology() == Topology.SOURCE_REPLICA);
        copy.follow();
      } else {
        copy.doubt();
      }
      become(Role.REPLICA, Optional.empty(), why);
    }
    if (!settled) {
      beside.control().makeReadOnly();
    }
  }

  /**
   * Takes no more writes. Who waits goes to the next primary at once if that is known, though the database may hang.
   */
  private void demote(Optional<MemberReport> next, String why) {
    copy.doubt();
    Role role = standings.now().role();
    become(role == Role.PRIMARY ? Role.REPLICA : role, next.map(MemberReport::url), why);
    copy.standDown(why);
    beside.control().makeReadOnly();
  }

  @Override
  public MemberReport stopReceiving(Term term) {
    fence.announce(term);
    changing.lock();
    try {
      fence.obey(term);
      fence.cutOff(term);
      if (standings.now().role() == Role.PRIMARY || beside.look().writable()) {
        // Of an earlier term than the primary that the change replaces, or restarted as the primary: nobody it could
        // follow leads yet, and one may need its acknowledgement for that.
        demote(Optional.empty(), "the primary is changing");
      }
      DatabaseMember member = beside.control();
      member.stopReceiving();
      var unused = member.awaitApplied(APPLY);
      return reported(report.with(beside::reportWithReceived));
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
  public void follow(String source, String primary, int leading, Term term) {
    fence.announce(term);
    changing.lock();
    try {
      fence.obey(term);
      if (!reportedAll) {
        throw new RnsException(
            RnsError.UNAVAILABLE,
            settings.url() + " follows once its database takes no writes and it is known what that has");
      }
      fence.accepting(leading);
      // Requests do not wait for its database, whose transactions the other one has.
      nextPrimary.announce(primary.isEmpty() ? Optional.empty() : Optional.of(primary));
      copy.follow();
      become(
          copy.isFollowing() ? Role.REPLICA : Role.STARTING, nextPrimary.url(), primary.isEmpty() ? NO_PRIMARY : "");
      MemberState seen = lastSeen();
      replicateFrom(source, Optional.of(source).equals(seen.source()) ? beside.look() : seen);
      fence.following(leading);
    } finally {
      changing.unlock();
    }
  }

  private MemberState lastSeen() {
    MemberState seen = beside.lastSeen();
    return seen == null ? beside.look() : seen;
  }

  /** From a source whose transactions it has received before, and cannot apply, it fetches them again. */
  private void replicateFrom(String source, MemberState state) {
    if (Optional.of(source).equals(state.source()) && !state.applying()
        && !beside.contains(beside.control().withReceived(state))) {
      fence.dropReceived(() -> replicateFrom(source));
    } else {
      replicateFrom(source);
    }
  }

  private void replicateFrom(String source) {
    DatabaseAddress address = DatabaseAddress.parse(source);
    standings.setReconnecting(true);
    beside.control().follow(address.host(), address.port());
  }

  /**
   * Rebuilds the copy from the primary's, which continues to take writes, and follows from there; no member yet, it
   * follows once it is one.
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
      var unused = fence.refresh();
      // It may not know yet that it is no member.
      peers.learn(primary.list());
      if (!peers.excludes(settings.url()) && !fence.accepts(primary)) {
        throw new RnsException(
            RnsError.UNAVAILABLE,
            primary.url() + " is the primary of an earlier term; repeat this when the present one is known");
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
    leave(Role.STARTING, Optional.of(primary.url()), "its copy is being made from that of the primary");
    LOG.info("copying the database of {}", primary.url());
    DatabaseAddress address = DatabaseAddress.parse(source);
    reportedAll = false;
    fence.abandonCopy();
    beside.control().copyFrom(address.host(), address.port());
    fence.copied(primary);
    if (peers.excludes(settings.url())) {
      return;
    }
    replicateFrom(source);
    copy.follow();
    become(copy.isFollowing() ? Role.REPLICA : Role.STARTING, Optional.of(primary.url()), "");
  }

  @Override
  public MemberReport lead(Term term, PromotionTerms beginning) {
    fence.announce(term);
    changing.lock();
    try {
      fence.obey(term);
      MemberPromise before = fence.known();
      fence.leading(term, beginning);
      if (standings.now().role() != Role.PRIMARY) {
        try {
          expectPromotion();
          promote(beginning, FIRST_ACKNOWLEDGEMENT, () -> fence.checkLatest(term));
        } catch (RnsException e) {
          become(standings.now().role(), Optional.empty(), NO_PRIMARY);
          fence.failedToLead(term, before);
          throw e;
        }
      }
      fence.established();
      return reportNow();
    } finally {
      changing.unlock();
    }
  }

  /** Requests for the primary wait here, instead of going to and fro between this server and the former one. */
  private void expectPromotion() {
    become(standings.now().role(), Optional.empty(), "it is becoming the primary");
    standings.beginPromotion();
  }

  /**
   * Becomes the primary.
   *
   * @param goOn fails if it is to give up
   */
  private void promote(PromotionTerms beginning, Duration patience, Runnable goOn) {
    reportedAll = false;
    MemberList before = beside.control().members();
    peers.learn(before);
    boolean unlisted = beginning.members().isEmpty() && !peers.list().exists();
    PromotionTerms listing = unlisted ? beginning.with(peers.members()) : beginning;
    list.begin(
        new Promotion(settings, migrate, beside, copy, former, timing).begin(
            listing, before, list.now(), patience, goOn));
    standings.setReconnecting(false);
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
   * @param heard what could be learnt of the other members
   * @param asked asks one of them
   */
  public void settle(List<Heard> heard, Function<String, GroupMember> asked) {
    leader.turn(timing.nanoTime());
    // On an earlier one a member that is busy for long would replace a primary that leads by now.
    view = null;
    if (!changing.tryLock()) {
      return;
    }
    try {
      List<MemberReport> others =
          heard.stream().map(Heard::report).filter(other -> !peers.excludes(other.url())).toList();
      // Of an earlier term than it may follow: a former primary that does not know yet.
      Optional<MemberReport> primary = MemberReport.primary(others.stream().filter(fence::accepts).toList());
      settle(heard, others, primary, asked);
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

  private void settle(
      List<Heard> heard, List<MemberReport> others, Optional<MemberReport> primary,
      Function<String, GroupMember> asked) {
    if (standings.now().role() == Role.PRIMARY && primary.isPresent() && isLater(primary.get())) {
      // Before it looks at its database, which may hang.
      demote(primary, "another server is the primary");
    }
    Optional<Heard> leading = heard.stream().filter(each -> primary.equals(Optional.of(each.report()))).findFirst();
    // Before it looks at its database, without which it would take itself for one that hears no primary.
    leading.filter(each -> each.report().database().isPresent()).ifPresent(each -> leader.hear(each.askedNanos()));
    MemberState state;
    try {
      state = beside.look();
      var unused = fence.refresh();
      fence.sawRun(state);
      if (state.receiving()) {
        standings.setReconnecting(false);
      }
    } catch (RnsException e) {
      settleWithoutDatabase(primary, String.valueOf(e.getMessage()));
      return;
    }
    if (primary.isPresent() && !fence.accepts(primary.get())) {
      // Its promise was not known yet, since its database did not answer: the next turn sees whom it may follow.
      return;
    }
    peers.learn(members());
    if (standings.now().role() != Role.PRIMARY && peers.excludes(settings.url())) {
      stayAway(primary, state);
      return;
    }
    away = false;
    if (primary.isEmpty()) {
      copy.openIfThereIsSomething();
    } else {
      nextPrimary.arrived();
    }
    fence.sawPrimaries(others, primary.isPresent() || standings.now().role() == Role.PRIMARY);
    MembershipView sight = sight(state, heard, others, primary, leading);
    view = sight;
    commits.see(!isStalled(sight));
    take(
        rules.next(
            sight, () -> asked.apply(primary.orElseThrow().url()).contains(state.transactions()),
            () -> asked.apply(primary.orElseThrow().url()).contains(beside.control().withReceived(state))),
        sight);
    Role role = standings.now().role();
    if (role == Role.PRIMARY) {
      fence.vouchAsPrimary(state);
      list.addNew(heard);
    } else if (role == Role.REPLICA && leading.isPresent() && sight.seemsLast(leading.get().report())) {
      fence.vouchIfCaughtUp(state, leading.get());
    }
  }

  private MembershipView sight(
      MemberState state, List<Heard> heard, List<MemberReport> others, Optional<MemberReport> primary,
      Optional<Heard> leading) {
    MemberCopy names = copy.now();
    Role role = standings.now().role();
    leading.map(Heard::report).filter(report -> report.database().isPresent()).ifPresent(last -> lastPrimary = last);
    former.hear(settings.url(), role, copy.epoch(), others);
    if (names != null) {
      former.sawInCopy(new LastCommit(names.position().epoch(), names.asOf()));
    }
    if (role == Role.PRIMARY) {
      leader.hear(timing.nanoTime());
    }
    return new MembershipView(
        settings.url(),
        role,
        state,
        copy.epoch(),
        names != null && names.isPrimary(),
        copy.isFollowing(),
        fence.accepted(),
        primary.isEmpty() ? fence.isCutOff() || !fence.ledLast() : isStillCutOff(),
        primary,
        others,
        peers.count(),
        1 + (int) heard.stream().filter(this::hasAnsweredSince).count(),
        peers.list().acknowledgements(),
        leader.listen(names, beside.arrivedNanos(), hasEnded(), timing.nanoTime()),
        former.mayServe());
  }

  /** Whether a member with a database was asked after the last transaction had come to this one's. */
  private boolean hasAnsweredSince(Heard member) {
    return member.report().database().isPresent() && !peers.excludes(member.report().url())
        && member.askedNanos() - beside.arrivedNanos() >= 0;
  }

  /**
   * Whether the process of the last primary has ended, and no other one can have led since: what arrives was written
   * before. A later primary leads in a later term, or, after a restart at another address, in a later epoch.
   */
  private boolean hasEnded() {
    MemberReport last = lastPrimary;
    return settings.topology() == Topology.SOURCE_REPLICA && last != null && peers.refuses(last.url())
        && last.allegiance().accepted() == fence.accepted() && copy.epoch() <= last.epoch();
  }

  /** In a group that fences by terms, who is accepted as the primary has ended the change. */
  private boolean isStillCutOff() {
    return settings.topology() == Topology.GROUP && fence.isCutOff();
  }

  /** Requests go to the current primary. */
  private void settleWithoutDatabase(Optional<MemberReport> primary, String why) {
    Role role = standings.now().role();
    if (role == Role.PRIMARY) {
      return;
    }
    become(role, primary.map(MemberReport::url), role == Role.STARTING ? why : standings.now().reason());
  }

  private boolean isLater(MemberReport primary) {
    int accepted = primary.allegiance().accepted();
    int own = fence.least();
    return accepted > own || (accepted == own && primary.epoch() > copy.epoch());
  }

  private void take(MembershipStep step, MembershipView sight) {
    MemberState state = sight.state();
    switch (step) {
      case MembershipStep.Wait wait -> {
      }
      case MembershipStep.StayPrimary(boolean writable) -> stayPrimary(sight, writable);
      case MembershipStep.StepDown(String why) -> demote(Optional.empty(), why);
      case MembershipStep.Lead(String why) -> {
        int latest = sight.others().stream().mapToInt(MemberReport::epoch).max().orElse(0);
        promote(PromotionTerms.after(latest, 0), Duration.ZERO, () -> {});
        fence.restored();
        LOG.info("{}", why);
      }
      case MembershipStep.KnowNoPrimary(boolean belongs) -> knowNoPrimary(belongs);
      case MembershipStep.Follow(MemberReport primary, Optional<String> source) -> follow(primary, source, state);
      case MembershipStep.Copy(MemberReport primary) -> copyFrom(primary);
      case MembershipStep.AwaitMembers(MemberReport primary) -> awaitMembers(primary, state);
      case MembershipStep.StayOutside(MemberReport primary) -> stayOutside(primary, state);
    }
  }

  private void awaitMembers(MemberReport primary, MemberState state) {
    if (state.writable()) {
      beside.control().makeReadOnly();
    }
    Role role = standings.now().role();
    if (role != Role.REPLICA) {
      become(
          role, Optional.of(primary.url()),
          "its database has transactions that " + primary.url()
              + " lacks; waiting for more members to answer: one may know a later primary that has them");
    }
  }

  private void stayOutside(MemberReport primary, MemberState state) {
    if (standings.now().role() == Role.PRIMARY) {
      demote(Optional.of(primary), "another server is the primary");
    } else if (state.writable()) {
      beside.control().makeReadOnly();
    }
    leave(
        Role.OUTSIDE,
        Optional.of(primary.url()),
        "its database has transactions that the primary lacks; ./rns join rebuilds it from the primary");
  }

  /** It is no member, so its database must not acknowledge writes. */
  private void stayAway(Optional<MemberReport> primary, MemberState state) {
    if (!away || state.receiving()) {
      beside.control().stopReceiving();
      away = true;
    }
    boolean isNew = state.transactions().isEmpty();
    leave(
        isNew ? Role.STARTING : Role.OUTSIDE,
        primary.map(MemberReport::url),
        isNew ? "waiting until the primary has added it to the members"
            : "it is not a member of the group; ./rns join rebuilds it as one");
  }

  private void stayPrimary(MembershipView sight, boolean writable) {
    if (!writable) {
      LOG.warn("the database has come back read-only; this server is still the primary");
      beside.control().makeWritable(list.acknowledgements());
    }
    int needed = list.acknowledgements();
    int acknowledging = sight.state().acknowledging().orElse(0);
    boolean heard = acknowledging >= needed && !isIsolated(sight, needed);
    String who = acknowledging == 0 || needed == 1 ? "no replica acknowledges"
        : acknowledging + " of the " + needed + " replicas that are needed acknowledges";
    copy.opened().refuseWrites(
        heard ? null : who + " writes, so they are refused (RNS_DURABILITY=local would take them)");
  }

  /** Whether there are enough replicas to acknowledge commits, and yet none ends. A database group sees to itself. */
  private boolean isStalled(MembershipView sight) {
    OptionalInt acknowledging = sight.state().acknowledging();
    return settings.topology() == Topology.SOURCE_REPLICA && sight.role() == Role.PRIMARY && acknowledging.isPresent()
        && acknowledging.getAsInt() >= list.acknowledgements() && !copy.opened().isConfirmed();
  }

  /** Connections of replicas that are cut off look well for long: too few answer, and no commit is acknowledged. */
  private boolean isIsolated(MembershipView sight, int needed) {
    return sight.others().size() < needed && !copy.opened().isConfirmed();
  }

  private void follow(MemberReport primary, Optional<String> source, MemberState state) {
    if (state.writable()) {
      // A commit of a process that crashed may still wait for a replica: the next turn sees whether the primary has it.
      beside.control().makeReadOnly();
      return;
    }
    if (source.isPresent() && mayStillGetOthers(source.get(), state)) {
      // Whether the primary has those, too, is known once they are applied: the next turn sees it.
      beside.control().stopReceiving();
      return;
    }
    if (source.isPresent()) {
      fence.accepting(primary.allegiance().accepted());
      reportedAll = reportedAll && source.equals(state.source());
      replicateFrom(source.get(), state);
    }
    fence.following(primary);
    copy.follow();
    become(
        copy.isFollowing() ? Role.REPLICA : Role.STARTING,
        Optional.of(primary.url()),
        state.trouble().orElse(copy.isFollowing() ? "" : "waiting for the tables of the primary"));
  }

  /**
   * Whether its database may have applied transactions of another source since the look by which the primary has all,
   * or may do so before it follows.
   */
  private boolean mayStillGetOthers(String source, MemberState state) {
    boolean other = state.source().filter(former -> !former.equals(source)).isPresent();
    return other && (state.receiving()
        || (state.applying() && !beside.contains(beside.control().withReceived(state)))
        || !beside.look().transactions().equals(state.transactions()));
  }

  private void knowNoPrimary(boolean belongs) {
    if (belongs) {
      copy.follow();
    } else if (standings.now().role() == Role.OUTSIDE) {
      // Also without a primary: the promotion of another member must not wait for this one's transactions.
      become(Role.OUTSIDE, Optional.empty(), standings.now().reason());
      return;
    }
    Optional<String> announced = nextPrimary.url();
    become(
        copy.isFollowing() ? Role.REPLICA : Role.STARTING, announced, announced.isPresent() ? "" : NO_PRIMARY);
  }

  /** What this copy has is not part of the tree, or will not be in a moment; who watches it goes elsewhere. */
  private void leave(Role role, Optional<String> primary, String why) {
    copy.doubt();
    become(role, primary, why);
    copy.close();
  }

  // ---- the list of members

  /**
   * Adds a server to the members, as the primary.
   *
   * @return the list with it
   * @throws RnsException {@link RnsError#NOT_PRIMARY}; {@link RnsError#INVALID_REQUEST} if its database has content
   *         that is no fresh copy; {@link RnsError#UNAVAILABLE} if it does not answer, or no member acknowledges
   */
  public MemberList add(GroupMember server) {
    checkPrimary();
    return list.add(server);
  }

  /**
   * Removes a server from the members, as the primary.
   *
   * @param stopped whether its machine is known to be off: then it need not answer
   * @return the list without it
   * @throws RnsException {@link RnsError#NOT_PRIMARY}; {@link RnsError#INVALID_REQUEST} if it is the primary or no
   *         member, or the others could not acknowledge writes; {@link RnsError#UNAVAILABLE} if it or, if it does not
   *         answer, another one does not
   */
  public MemberList forget(GroupMember server, boolean stopped) {
    checkPrimary();
    return list.forget(server, stopped, fence.known());
  }

  private void checkPrimary() {
    if (standings.now().role() != Role.PRIMARY) {
      throw new RnsException(RnsError.NOT_PRIMARY, settings.url() + " is not the primary");
    }
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
