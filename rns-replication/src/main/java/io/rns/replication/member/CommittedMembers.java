package io.rns.replication.member;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.DatabaseReport;
import io.rns.replication.GroupMember;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import io.rns.replication.Term;
import io.rns.replication.Timing;
import io.rns.replication.Topology;
import io.rns.replication.membership.MemberPromise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The list of members as this server, the primary, has committed it. It changes by one member at a time, and each
 * change is acknowledged by members of the list before; docs/decisions/members.md says why that suffices. Thread-safe.
 */
final class CommittedMembers {
  private static final Logger LOG = LoggerFactory.getLogger(CommittedMembers.class);
  private static final Duration OTHERS_CHANGE = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final GroupSettings settings;
  private final ControlledDatabase beside;
  private final TreeCopy<?> copy;
  private final OtherMembers peers;
  private final Lock changing;
  private final Timing timing;
  private final AtomicBoolean busy = new AtomicBoolean();
  private volatile MemberList now = MemberList.NONE;

  /** Why the members could not be changed the last time; empty if they could. Only by who is {@link #busy}. */
  private String trouble = "";

  /** Of how many replicas commits wait: also of as many as a list asks for that may have been committed. */
  private volatile int acknowledgements = 1;

  CommittedMembers(
      GroupSettings settings, ControlledDatabase beside, TreeCopy<?> copy, OtherMembers peers, Lock changing,
      Timing timing) {
    this.settings = settings;
    this.beside = beside;
    this.copy = copy;
    this.peers = peers;
    this.changing = changing;
    this.timing = timing;
  }

  MemberList now() {
    return now;
  }

  /** Of how many replicas the commits of the primary wait; 0 for its own disk only. */
  int acknowledgements() {
    return settings.durability().of(acknowledgements);
  }

  /** Begins with the list of a new epoch. */
  void begin(MemberList list) {
    now = list;
    acknowledgements = list.acknowledgements();
    peers.learn(list);
  }

  /** Adds servers with empty databases, and commits again what an earlier change may have left unacknowledged. */
  void addNew(List<Heard> heard) {
    List<String> added = heard.stream().map(Heard::report)
        .filter(other -> now.excludes(other.url()) && isEmpty(other))
        .map(MemberReport::url)
        .toList();
    if ((!added.isEmpty() || !beside.lastMembers().equals(now)) && busy.compareAndSet(false, true)) {
      timing.start("rns-members", () -> {
        try {
          int epoch = copy.epoch();
          confirm(epoch);
          added.forEach(url -> commit(epoch, now.with(url)));
          trouble = "";
        } catch (RnsException e) {
          note(String.valueOf(e.getMessage()));
        } finally {
          busy.set(false);
        }
      });
    }
  }

  /** It is tried again four times a second. */
  private void note(String why) {
    if (!why.equals(trouble)) {
      trouble = why;
      LOG.warn("the members could not be changed: {}", why);
    }
  }

  MemberList add(GroupMember server) {
    return alone(epoch -> {
      if (!now.has(server.url())) {
        MemberReport report = server.report();
        if (!isEmpty(report) && !report.list().excludes(report.url())) {
          throw new RnsException(
              RnsError.INVALID_REQUEST,
              "the database of " + server.url() + " has content of its own, or of when it was a member, or cannot be "
                  + "reached; ./rns join " + server.url() + " replaces the content and adds it");
        }
        commit(epoch, now.with(server.url()));
      }
      return now;
    });
  }

  private static boolean isEmpty(MemberReport report) {
    return report.database().filter(database -> database.transactions().isEmpty()).isPresent();
  }

  MemberList forget(GroupMember server, boolean stopped, MemberPromise promise) {
    return alone(epoch -> {
      checkMayForget(server.url());
      Optional<MemberReport> report = Optional.empty();
      try {
        report = Optional.of(server.report());
      } catch (RnsException e) {
        checkMissing(server.url(), stopped, e);
      }
      report.ifPresent(answered -> stop(server, answered, promise));
      commit(epoch, now.without(server.url()));
      return now;
    });
  }

  private void checkMayForget(String url) {
    if (url.equals(settings.url())) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, url + " is the primary; promote another member first (./rns switchover)");
    }
    if (!now.has(url)) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "'" + url + "' is not a member of the group; its members are " + now.urls());
    }
    List<String> following = following(url);
    if (following.size() < acknowledgements()) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "without " + url + " " + (following.isEmpty() ? "no member acknowledges" : "too few members acknowledge")
              + " writes; add another member before");
    }
  }

  /** The other members that follow this one, but for one of them. */
  private List<String> following(String but) {
    return peers.reports().stream()
        .filter(other -> now.has(other.url()) && !other.url().equals(but))
        .filter(other -> other.database().filter(DatabaseReport::receiving).isPresent())
        .map(MemberReport::url)
        .toList();
  }

  /**
   * Cuts a member off for good: in a later term than that of this primary, whom it does not follow again then. From
   * here on others acknowledge.
   */
  private void stop(GroupMember server, MemberReport report, MemberPromise promise) {
    int latest =
        Stream.concat(Stream.of(report), peers.reports().stream()).mapToInt(other -> other.allegiance().latest()).max()
            .orElse(0);
    MemberReport unused =
        server.stopReceiving(
            new Term(Math.max(latest, promise.term()) + 1, settings.url() + "#forget-" + timing.nanoTime()));
  }

  private void checkMissing(String url, boolean stopped, RnsException why) {
    if (!stopped) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          url + " does not answer, and its database may still acknowledge writes: stop both, then repeat this with "
              + "--stopped (" + why.getMessage() + ")",
          why);
    }
    List<String> following = following(url);
    List<String> missing =
        now.without(url).stream().filter(other -> !other.equals(settings.url()) && !following.contains(other)).toList();
    if (!missing.isEmpty()) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          url + " does not answer, nor do all others follow: " + String.join(", ", missing)
              + "; only they may have an acknowledged write",
          why);
    }
  }

  /** One change at a time; another one, such as of a server that is added automatically, is given time. */
  private MemberList alone(IntFunction<MemberList> change) {
    long since = timing.nanoTime();
    while (!busy.compareAndSet(false, true)) {
      if (timing.passed(OTHERS_CHANGE, since)) {
        throw new RnsException(RnsError.UNAVAILABLE, "another change of the members is under way; repeat this");
      }
      timing.pause(PAUSE);
    }
    try {
      // What is checked and prepared holds for this epoch only.
      int epoch = copy.epoch();
      confirm(epoch);
      return change.apply(epoch);
    } finally {
      busy.set(false);
    }
  }

  /**
   * What an earlier change wrote may not have been acknowledged, though its tables show it after a restart. A later
   * commit settles that.
   */
  private void confirm(int epoch) {
    MemberList written = beside.control().members();
    if (!written.equals(now)) {
      commit(epoch, written.urls());
    }
  }

  /**
   * Before it returns, as many members of the list before have acknowledged as either list asks for; in a list of one
   * that is its own disk. After a failure no commit waits for fewer: the list may be at another member.
   */
  private void commit(int epoch, List<String> members) {
    int most = settings.mostAcknowledgements(beside.control());
    boolean sole = now.members().size() == 1 && settings.topology() == Topology.SOURCE_REPLICA;
    if (sole) {
      inEpoch(epoch, () -> begin(committedAlone(epoch, members, most)));
    } else {
      int asked = Math.max(acknowledgements, checked(members.size(), most));
      inEpoch(epoch, () -> await(asked));
      MemberList written = copy.opened().replaceMembers(epoch, members, most);
      inEpoch(epoch, () -> {
        await(written.acknowledgements());
        begin(written);
      });
    }
    LOG.info("the members are {}", now.urls());
  }

  /** Of how many replicas a list asks for, if that many are there: writes would stop otherwise. */
  private int checked(int size, int most) {
    int asked = MemberList.acknowledgements(size, most);
    int there = beside.look().acknowledging().orElse(asked);
    if (asked > acknowledgements && there < asked) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "with " + size + " members " + asked + " replicas have to acknowledge a write, and " + there + " can now");
    }
    return asked;
  }

  /** Has the commits from here on wait for so many replicas. */
  private void await(int replicas) {
    if (replicas != acknowledgements) {
      beside.control().makeWritable(settings.durability().of(replicas));
      acknowledgements = replicas;
    }
  }

  /** Takes a step unless the primary has changed since, if only for a moment: it may wait for other replicas now. */
  private void inEpoch(int epoch, Runnable step) {
    changing.lock();
    try {
      if (!copy.opened().isPrimary() || copy.epoch() != epoch) {
        throw new RnsException(
            RnsError.NOT_PRIMARY, "the primary has changed while it changed the members; repeat this");
      }
      step.run();
    } finally {
      changing.unlock();
    }
  }

  private MemberList committedAlone(int epoch, List<String> members, int most) {
    beside.control().makeWritable(0);
    MemberList written;
    try {
      written = copy.opened().replaceMembers(epoch, members, most);
    } catch (RuntimeException e) {
      try {
        beside.control().makeWritable(acknowledgements());
      } catch (RuntimeException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
    beside.control().makeWritable(acknowledgements());
    return written;
  }
}
