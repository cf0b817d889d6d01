package io.rns.replication.member;

import io.rns.error.RnsException;
import io.rns.replication.GroupMember;
import io.rns.replication.Handover;
import io.rns.replication.MemberReport;
import io.rns.replication.Role;
import io.rns.replication.Timing;
import io.rns.replication.Topology;
import io.rns.replication.membership.Candidacy;
import io.rns.replication.membership.Durability;
import io.rns.replication.membership.MemberPromise;
import io.rns.replication.membership.MembershipView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What a member does by itself: again and again it takes the role that fits what it sees, and begins a failover where
 * {@link Candidacy} says so.
 */
public final class MemberLoop {
  private static final Logger LOG = LoggerFactory.getLogger(MemberLoop.class);

  /** Before a failover is tried again that may have ended the change of another member, which gets its turn first. */
  private static final Duration RETRY = Duration.ofSeconds(2);

  /** Before a failover is tried again that was refused before any member promised a term. */
  private static final Duration RETRY_UNPROPOSED = Duration.ofMillis(500);

  private final LocalMember<?> local;
  private final OtherMembers peers;
  private final Function<String, GroupMember> reach;
  private final Candidacy candidacy;
  private final Duration lease;
  private final GroupSettings settings;
  private final Timing timing;

  private final ChangeWatch changes = new ChangeWatch();

  /** Numbers the changes that run here, apart from those of an earlier process. */
  private final AtomicLong numbers;

  private volatile boolean running;
  private volatile @Nullable Long endedNanos;
  private volatile Duration retry = RETRY;
  private volatile Optional<String> waiting = Optional.empty();
  private String lastPrimary = "";

  private final LastingCondition serving = new LastingCondition();
  /**
   * Whether this server has followed or led since it was started. That its copy was rebuilt since makes it no slower.
   */
  private boolean hasServed;
  private final LastingCondition isolated = new LastingCondition();

  /** The term of its own failover that ended last. */
  private volatile int endedTerm;

  /**
   * A loop that has not begun.
   *
   * @param reach a member by its address, this one included
   * @param lease how long a primary that cannot commit still answers reads as the primary
   */
  public MemberLoop(
      GroupSettings settings, LocalMember<?> local, OtherMembers peers, Function<String, GroupMember> reach,
      Duration lease,
      Timing timing) {
    this.settings = settings;
    this.local = local;
    this.peers = peers;
    this.reach = reach;
    this.lease = lease;
    this.timing = timing;
    this.candidacy = new Candidacy(settings.automatic());
    this.numbers = new AtomicLong(timing.nanoTime());
  }

  /** A change of the primary among all members that are known; among equally advanced ones it prefers this one. */
  public Handover handover() {
    List<GroupMember> members = new ArrayList<>();
    for (String url : peers.members()) {
      if (url.equals(settings.url())) {
        members.addFirst(local);
      } else {
        members.add(reach.apply(url));
      }
    }
    String proposer = settings.url() + "#" + numbers.incrementAndGet();
    return new Handover(settings.topology(), proposer, members, settings.durability() == Durability.REPLICATED, lease,
        timing);
  }

  /** Why a failover that is needed has not begun or succeeded at this member; empty if it has, or none is needed. */
  public Optional<String> waiting() {
    return waiting;
  }

  /** The name of the member that would replace the primary without a command; empty if none would. */
  public Optional<String> next(List<MemberReport> members) {
    List<MemberReport> counted = members.stream().filter(member -> !peers.excludes(member.url())).toList();
    return settings.topology() == Topology.GROUP ? Optional.empty()
        : candidacy.first(counted, peers.members().size(), peers.list().acknowledgements()).map(MemberReport::name);
  }

  /** Takes one turn. */
  public void turn() {
    local.settle(peers.heard(), reach);
    MembershipView view = local.view();
    if (view == null || settings.topology() == Topology.GROUP) {
      // It is not known to last.
      var unused = isolated.look(false, timing.nanoTime());
      return;
    }
    if (view.role() == Role.PRIMARY || view.primary().isPresent()) {
      waiting = Optional.empty();
      view.primary().ifPresent(primary -> lastPrimary = primary.url());
    } else {
      candidacy.waits(view).ifPresent(why -> waiting = Optional.of(why));
    }
    Optional<String> reason = candidacy.reason(situation(view));
    Long ended = endedNanos;
    if (reason.isPresent() && !running && (ended == null || timing.passed(retry.plus(Candidacy.turn(view)), ended))) {
      running = true;
      // Not twice a second for as long as a member is away.
      boolean again = retry.equals(RETRY_UNPROPOSED) && waiting.isPresent();
      LOG.atLevel(again ? Level.DEBUG : Level.WARN).log("failover: {}", reason.get());
      timing.start("rns-failover", this::failOver);
    }
  }

  private Candidacy.Situation situation(MembershipView view) {
    hasServed |= view.following() || view.role() == Role.PRIMARY;
    List<MemberReport> all = new ArrayList<>(view.others());
    all.add(local.report());
    Duration changing = changes.listen(all, endedTerm, timing.nanoTime());
    return new Candidacy.Situation(
        view, serving.look(hasServed, timing.nanoTime()), peers.refuses(lastPrimary),
        isolated.look(Candidacy.isIsolated(view), timing.nanoTime()), local.fence().strandedFor(), changing);
  }

  private void failOver() {
    Handover change = handover();
    try {
      Handover.Result result = change.failoverIfLost();
      LOG.warn("failover: {} is the primary from {} on", result.primary(), result.position());
      waiting = Optional.empty();
    } catch (RnsException e) {
      Optional<String> why = Optional.ofNullable(e.getMessage());
      LOG.atLevel(why.equals(waiting) ? Level.DEBUG : Level.WARN).log("failover: {}", e.getMessage());
      waiting = why;
    } catch (RuntimeException e) {
      LOG.error("failover: failed", e);
      waiting = Optional.of(e.toString());
    } finally {
      MemberPromise promise = local.fence().known();
      endedTerm = promise.proposer().equals(change.proposer()) ? promise.term() : endedTerm;
      retry = change.proposed() ? RETRY : RETRY_UNPROPOSED;
      endedNanos = timing.nanoTime();
      running = false;
    }
  }
}
