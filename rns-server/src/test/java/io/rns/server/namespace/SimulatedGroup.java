package io.rns.server.namespace;

import io.rns.api.Answer;
import io.rns.api.AssignRequest;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.ContentRequest;
import io.rns.api.ContentRequest.Freeze;
import io.rns.api.ContentRequest.Give;
import io.rns.api.ContentRequest.Own;
import io.rns.api.ContentRequest.Abandon;
import io.rns.api.ContentRequest.Insert;
import io.rns.api.ContentRequest.Receive;
import io.rns.api.ContentRequest.Remember;
import io.rns.api.ContentRequest.Remove;
import io.rns.api.ContentRequest.Step;
import io.rns.api.ContentRequest.Thaw;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.api.Refusal;
import io.rns.api.Right;
import io.rns.api.Target;
import io.rns.api.WriteRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AccessControl;
import io.rns.replication.partition.Partition;
import io.rns.server.namespace.LocalNameService.Ownership;
import io.rns.server.namespace.SimulatedTime.Machine;
import io.rns.server.namespace.SimulatedTime.Strand;
import io.rns.server.store.AnswerColumn;
import io.rns.server.store.RequestKey;
import io.rns.server.store.RequestLogTable;
import io.rns.server.store.RequestLogTable.AnsweredRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/** A server group in virtual time: its database, and the servers that were its primary one after the other. */
public final class SimulatedGroup {
  /** Is told what a transaction has applied. */
  @FunctionalInterface
  public interface Observer {
    /** A request was applied, and its answer is kept. */
    void applied(CallContext call, List<Outcome<Entry>> outcomes);
  }

  private static final long CACHE_BYTES = 1 << 20;
  private static final Duration FROZEN_PAUSE = Duration.ofMillis(50);

  private final SimulatedTime time;
  private final SplittableRandom random;
  private final ContentMoveDefect defect;
  private final Observer observer;
  private final AccessControl control;
  private final WriterSettings settings;
  private final List<SimulatedTables> states = new ArrayList<>();
  private Primary primary;
  private double crashes;

  /** A group with an empty tree and a primary, where everybody may do everything. */
  public SimulatedGroup(
      int number, SimulatedTime time, SplittableRandom random, ContentMoveDefect defect, Observer observer) {
    this(number, time, random, defect, observer, AccessControl.open());
  }

  /**
   * A group with an empty tree and a primary.
   *
   * @param control what callers may do at its servers
   */
  public SimulatedGroup(
      int number, SimulatedTime time, SplittableRandom random, ContentMoveDefect defect, Observer observer,
      AccessControl control) {
    this.control = control;
    this.settings = number == 0 ? TestServices.IN_GROUP : TestServices.PART_IN_GROUP;
    this.time = time;
    this.random = random;
    this.defect = defect;
    this.observer = observer;
    states.add(new SimulatedTables(number, time.instant()));
    primary = new Primary();
  }

  /** How many commits end the primary before it answers. */
  public void crashesAfterCommit(double share) {
    crashes = share;
  }

  /** The last server that became the primary. */
  public Primary primary() {
    return primary;
  }

  /** Another server becomes the primary; the former one may not know. */
  public void failOver() {
    states.add(now().begun(time.instant()));
    primary = new Primary();
  }

  /** The background deletes some rows. */
  public void clear() {
    if (!now().isCleared() && time.isRunning(primary.process)) {
      states.add(now().cleared(1 + random.nextInt(2)));
    }
  }

  private SimulatedTables now() {
    return states.getLast();
  }

  /** How many states there were. */
  public int states() {
    return states.size();
  }

  /** The position of a state. */
  public Position position(int state) {
    return states.get(state).position();
  }

  /** What a state reflects of other groups. */
  public Positions reflected(int state) {
    return states.get(state).row().reflected();
  }

  /** The oldest state that a session may be shown. */
  public int oldest(Positions seen) {
    int group = now().position().group();
    long sequence = seen.of(group).map(Position::sequence).orElse(0L);
    int state = states.size() - 1;
    while (state > 0 && states.get(state - 1).position().sequence() >= sequence) {
      state--;
    }
    return state;
  }

  /** A lookup in a state. */
  public Outcome<Entry> query(int state, Target target) {
    Resolution resolution = Resolution.of(states.get(state), target);
    return resolution instanceof Resolution.Found found
        ? Outcome.done(found.entry())
        : Outcome.refused(java.util.Objects.requireNonNull(resolution.refusal(states.get(state), target)));
  }

  /**
   * Whether a caller may use a right in a directory, as a server with a state says; empty if it does not have the
   * directory's content, or does not know yet what is above.
   */
  public Optional<Boolean> permits(int state, Caller caller, Right right, Target directory) {
    TreeAccess access = TreeAccess.of(control, caller, settings.anchors());
    Outcome<?> outcome;
    try {
      outcome = Resolution.directory(states.get(state).readBy(access), directory, right);
    } catch (RnsException e) {
      if (e.error() == RnsError.UNAVAILABLE) {
        return Optional.empty();
      }
      throw e;
    }
    if (!(outcome instanceof Outcome.Refused<?>(Refusal refusal))) {
      return Optional.of(true);
    }
    boolean unpermitted =
        refusal.error() == RnsError.NOT_PERMITTED || refusal.error() == RnsError.NOT_AUTHENTICATED;
    return unpermitted ? Optional.of(false) : Optional.empty();
  }

  /** The partitions as a state has them. */
  public List<Partition> partitions(int state) {
    SimulatedTables tables = states.get(state);
    return LocalNameService.partitions(tables, tables.position().group(), tables.delegations());
  }

  /** All entries below a directory, by path. */
  public Map<String, Entry> content(EntryId directory) {
    Map<EntryId, String> paths = new HashMap<>(Map.of(directory, ""));
    Map<String, Entry> all = new TreeMap<>();
    now().subtree(
        directory, below -> true,
        entry -> {
          String path = paths.get(entry.binding().parent()) + "/" + entry.binding().name();
          paths.put(entry.id(), path);
          all.put(path, entry);
        });
    return all;
  }

  /** Whether the group owns the content of a directory: not, if it has that in a copy of other content only. */
  public boolean owns(EntryId directory) {
    return now().find(directory) instanceof VirtualDirectory row && row.owner().isEmpty()
        && Resolution.isInTree(now(), row);
  }

  /** Whether the group has the entry of a directory, whoever owns the content. */
  public boolean hasEntry(EntryId directory) {
    return now().find(directory) instanceof VirtualDirectory row && !settings.anchors().isAnchor(row)
        && !MovingEntries.isTrace(row) && Resolution.isInTree(now(), row);
  }

  /** Whether a state has a directory because of its content only: the entry is in another group. */
  public boolean isAnchor(int state, EntryId directory) {
    return !directory.equals(EntryId.ROOT) && states.get(state).find(directory) instanceof VirtualDirectory row
        && settings.anchors().isAnchor(row);
  }

  /** Which group owns it as this one knows; empty if it is this one or none is known. */
  public OptionalInt pointer(EntryId directory) {
    return now().find(directory) instanceof VirtualDirectory row ? row.owner() : OptionalInt.empty();
  }

  /** Whether all is deleted that is to be. */
  public boolean isCleared() {
    return now().isCleared();
  }

  /** A server that is the primary, or was. */
  public final class Primary {
    private final Machine process = new Machine();
    private final int epoch = now().position().epoch();
    private final EntryCache cache = new EntryCache(CACHE_BYTES);
    private final Heights heights = new Heights();
    private final DelegatedDirectories delegated = new DelegatedDirectories();
    private final Departures departures = new Departures();
    private final FrozenContent frozen = new FrozenContent(time);
    private final Deque<PendingWrite> queue = new ArrayDeque<>();
    private final Map<PendingWrite, Strand> callers = new HashMap<>();
    private boolean stepDue;

    /** Its process. */
    public Machine process() {
      return process;
    }

    /** Whether it has not ended. */
    public boolean isAlive() {
      return !time.hasEnded(process);
    }

    /** Whether it answers. */
    public boolean isRunning() {
      return time.isRunning(process);
    }

    /** Whether no other one has taken over. */
    public boolean isPrimary() {
      return now().position().epoch() == epoch;
    }

    /** The process ends. */
    public void crash() {
      time.end(process);
      end(new RnsException(RnsError.TIMEOUT, "the server has ended"));
    }

    private void end(RnsException reason) {
      List<PendingWrite> all = new ArrayList<>(frozen.drained());
      all.addAll(queue);
      queue.clear();
      fail(all, reason);
    }

    private void fail(Collection<PendingWrite> writes, RnsException reason) {
      writes.forEach(write -> write.fail(reason));
      wake(writes);
    }

    private void wake(Collection<PendingWrite> writes) {
      for (PendingWrite write : writes) {
        Strand caller = callers.remove(write);
        if (caller != null) {
          time.wake(caller);
        }
      }
    }

    // ---- what callers ask

    /** A write; the running thread waits for its answer. */
    public Answer<List<Outcome<Entry>>> write(CallContext call, WriteRequest request) {
      if (time.hasEnded(process)) {
        throw new RnsException(RnsError.UNAVAILABLE, "the server has ended");
      }
      PendingWrite write = new PendingWrite(call, request);
      queue.add(write);
      callers.put(write, time.current());
      stepSoon(Duration.ofNanos(100_000 + random.nextInt(2_000_000)));
      time.park();
      // It is answered by now.
      return write.await(Duration.ZERO);
    }

    private Answer<Outcome<Entry>> step(ContentRequest request) {
      return write(CallContext.SERVICE, request).map(List::getFirst);
    }

    /** As {@link LocalNameService#assign}. */
    public Outcome<Entry> assign(Target directory, int to, long after) {
      return write(CallContext.SERVICE, new AssignRequest(directory, to, after)).value().getFirst();
    }

    /** As {@link LocalNameService#serve}. */
    public void serve(EntryId directory, long epoch) {
      int group = now().position().group();
      Entry unused = ArrivingContent.orForget(
          this::step, directory, epoch, () -> assign(Target.of(directory), group, epoch).orThrow());
    }

    /** As {@link LocalNameService#has}. */
    public boolean has(EntryId directory) {
      return LocalNameService.has(now(), directory);
    }

    /** As {@link LocalNameService#row}. */
    public VirtualDirectory row(EntryId directory) {
      if (now().find(directory) instanceof VirtualDirectory row) {
        return row;
      }
      throw new RnsException(RnsError.NO_SUCH_ENTRY, "this group has no directory " + directory);
    }

    /** As {@link LocalNameService#ownership}. */
    public Ownership ownership(EntryId directory) {
      SimulatedTables tables = now();
      return Ownership.of(
          tables, directory, tables.delegations(),
          Positions.of(tables.position()).with(tables.row().reflected()));
    }

    /** As {@link LocalNameService#own}. */
    public void own(EntryId directory, long version, Positions given, long there) {
      Entry unused = step(new ContentRequest(directory, new Own(version, given, there))).value().orThrow();
    }

    /** As {@link LocalNameService#point}. */
    public void point(EntryId directory, int to, long version) {
      Entry unused = step(new ContentRequest(directory, new ContentRequest.Point(to, version))).value().orThrow();
    }

    /** As {@link LocalNameService#arriving}. */
    public ContentTarget arriving(EntryId directory, BiFunction<Integer, EntryId, Ownership> owners) {
      return new ArrivingContent(
          request -> step(new ContentRequest(request.directory(), taken(directory, request.step()))),
          snapshots(),
          directory,
          owners,
          () -> 0);
    }

    /** A step as the next owner takes it, with its defect. */
    private Step taken(EntryId directory, Step step) {
      return switch (defect) {
        case TOKENS_IGNORED -> withLatestToken(directory, step);
        case LATE_OFFER_TAKEN -> step instanceof Receive receive
            ? new Receive(
                receive.from(), Math.max(receive.offered(), latest(directory) + 1), receive.at(), receive.afresh())
            : step;
        case NOTHING_REFLECTED -> step instanceof Own own ? new Own(own.token(), Positions.NONE, own.version()) : step;
        default -> step;
      };
    }

    private Step withLatestToken(EntryId directory, Step step) {
      return switch (step) {
        case Insert insert -> new Insert(latest(directory), insert.entries());
        case Remove remove -> new Remove(latest(directory), remove.entries(), remove.forever());
        case Remember remember -> new Remember(latest(directory), remember.answers());
        case Own own -> new Own(latest(directory), own.given(), own.version());
        case Abandon abandon -> new Abandon(latest(directory));
        default -> step;
      };
    }

    private long latest(EntryId directory) {
      Entry row = now().find(directory);
      return row == null ? 0 : row.version();
    }

    private GroupSnapshots snapshots() {
      return new GroupSnapshots() {
        @Override
        public <T> T readSnapshot(Function<GroupRows, T> work) {
          return work.apply(
              defect == ContentMoveDefect.DELETION_NOT_AWAITED ? SimulatedGroup.this.now().asCleared()
                  : SimulatedGroup.this.now());
        }

        @Override
        public <T> T readAll(Function<GroupRows, T> work) {
          return readSnapshot(work);
        }
      };
    }

    /**
     * As {@link LocalNameService#departing}.
     *
     * @param keptBytes as there
     * @param lossy whether the copy lacks an entry at first
     * @param before runs before each step of this group
     */
    public DepartingContent departing(
        EntryId directory, int to, ContentTarget target, long keptBytes, boolean lossy, Consumer<Step> before) {
      Departure departure = new Departure(this, directory, target, lossy, before);
      return new DepartingContent(
          departure::take, departure, directory, now().position().group(), to, () -> departure, keptBytes, time,
          time.instant());
    }

    // ---- the writer

    private void stepSoon(Duration pause) {
      if (!stepDue) {
        stepDue = true;
        time.after(pause, () -> {
          stepDue = false;
          step();
        });
      }
    }

    private void step() {
      if (time.hasEnded(process)) {
        return;
      }
      if (!time.isRunning(process)) {
        stepSoon(FROZEN_PAUSE);
        return;
      }
      if (!isPrimary()) {
        end(new RnsException(RnsError.NOT_PRIMARY, "another server has become the primary"));
        return;
      }
      List<PendingWrite> batch = new ArrayList<>(frozen.released());
      for (int most = 1 + random.nextInt(3); batch.size() < most && !queue.isEmpty();) {
        PendingWrite next = queue.remove();
        boolean taken = next.take();
        if (!taken) {
          throw new IllegalStateException("withdrawn: " + next.request());
        }
        batch.add(next);
      }
      if (!batch.isEmpty()) {
        commit(batch);
      }
      if (!queue.isEmpty() || frozen.hasWaiting()) {
        stepSoon(queue.isEmpty() ? FROZEN_PAUSE : Duration.ofNanos(100_000));
      }
    }

    private void commit(List<PendingWrite> batch) {
      boolean assuming = random.nextBoolean();
      try {
        commitOnce(batch, assuming);
      } catch (SimulatedTables.Duplicate e) {
        if (!assuming) {
          throw e;
        }
        commitOnce(batch, false);
      } catch (RnsException e) {
        if (e.error() != RnsError.BUSY || !assuming) {
          throw e;
        }
        commitOnce(batch, false);
      }
    }

    private void commitOnce(List<PendingWrite> batch, boolean assuming) {
      SimulatedTables before = now();
      WriteTransaction transaction = WriteTransaction.prepare(
          before, cache, heights, delegated, departures, frozen, before.row(), time.instant(), batch, assuming,
          settings, control);
      if (!transaction.writesNothing()) {
        Draft draft = transaction.draft();
        states.add(before.after(draft.rows(), transaction.replaced(), transaction.answered(), transaction.after()));
        observe(batch, transaction.answered());
        if (crashes > 0 && random.nextDouble() < crashes) {
          fail(batch, new RnsException(RnsError.TIMEOUT, "the server has ended after a commit"));
          crash();
          return;
        }
        EntryCache.Announced announced =
            cache.announce(draft.changedKeys(), draft.changedIds(), draft.countedDirectories());
        if (draft.movesContent()) {
          cache.reset(() -> {});
        } else {
          announced.publish(draft.toKeep(), () -> {});
        }
        heights.stored(draft.raisedHeights());
      }
      frozen.keep(transaction.held());
      transaction.deliver();
      List<PendingWrite> answered = new ArrayList<>(batch);
      answered.removeAll(transaction.held());
      wake(answered);
    }

    private void observe(List<PendingWrite> batch, List<AnsweredRequest> answered) {
      Map<RequestKey, AnsweredRequest> byKey = new HashMap<>();
      answered.forEach(each -> byKey.put(each.key(), each));
      Set<RequestKey> seen = new HashSet<>();
      for (PendingWrite write : batch) {
        // What another group has applied.
        if (write.request() instanceof ContentRequest of && of.step() instanceof Remember remember) {
          RequestLogTable.readAll(Base64.getDecoder().decode(remember.answers()))
              .forEach(each -> seen.add(each.key()));
        }
      }
      for (PendingWrite write : batch) {
        AnsweredRequest answer = write.key() == null ? null : byKey.get(write.key());
        if (answer != null && seen.add(write.key())) {
          observer.applied(write.call(), AnswerColumn.read(write.request(), answer.answer()).value());
        }
      }
    }
  }

  /** What a move asks both sides, with the defect that it may have. */
  private final class Departure implements ContentTarget, GroupSnapshots {
    private final Primary source;
    private final EntryId directory;
    private final ContentTarget target;
    private final Consumer<Step> before;
    private boolean lossy;
    private long token;
    private GroupRows last = now();

    Departure(
        Primary source, EntryId directory, ContentTarget target, boolean lossy, Consumer<Step> before) {
      this.before = before;
      this.source = source;
      this.directory = directory;
      this.target = target;
      this.lossy = lossy;
    }

    Answer<Outcome<Entry>> take(ContentRequest request) {
      before.accept(request.step());
      if (request.step() instanceof Give give) {
        switch (defect) {
          case OWN_BEFORE_GIVE -> target.own(token, Positions.of(now().position()), 0);
          case THAW_BEFORE_GIVE -> {
            Answer<Outcome<Entry>> thawed = source.step(new ContentRequest(directory, new Thaw()));
            Entry unused = thawed.value().orThrow();
            Answer<Outcome<Entry>> frozen = source.step(new ContentRequest(directory, new Freeze(give.freeze())));
            Entry unused2 = frozen.value().orThrow();
          }
          case EXPIRED_FREEZE_FORGIVEN -> {
            Answer<Outcome<Entry>> frozen = source.step(new ContentRequest(directory, new Freeze(give.freeze())));
            Entry unused = frozen.value().orThrow();
          }
          default -> {
          }
        }
      }
      return source.step(request);
    }

    @Override
    public <T> T readSnapshot(Function<GroupRows, T> work) {
      SimulatedTables rows = now();
      last = rows;
      return work.apply(rows);
    }

    @Override
    public <T> T readAll(Function<GroupRows, T> work) {
      return readSnapshot(work);
    }

    @Override
    public long version() {
      return target.version();
    }

    @Override
    public Receipt receive(int from, long offered, long at, boolean afresh) {
      Receipt receipt = target.receive(from, offered, at, afresh);
      token = receipt.token();
      return receipt;
    }

    @Override
    public void insert(long as, List<Entry> entries) {
      boolean loses = lossy && entries.getLast() instanceof Entry.Junction;
      lossy &= !loses;
      target.insert(as, loses ? entries.subList(0, entries.size() - 1) : entries);
    }

    @Override
    public void remove(long as, List<EntryId> entries, boolean forever) {
      target.remove(as, entries, forever);
    }

    @Override
    public void remember(long as, String answers) {
      if (defect != ContentMoveDefect.NOTHING_REMEMBERED) {
        target.remember(as, answers);
      }
    }

    @Override
    public void abandon(long as) {
      target.abandon(as);
    }

    @Override
    public long lagMillis() {
      return target.lagMillis();
    }

    @Override
    public Set<EntryId> has(Collection<EntryId> entries) {
      return target.has(entries);
    }

    @Override
    public Set<EntryId> settled(Collection<EntryId> entries) {
      return target.settled(entries);
    }

    @Override
    public boolean isCleared() {
      return defect == ContentMoveDefect.DELETION_NOT_AWAITED || target.isCleared();
    }

    @Override
    public ContentSum sum() {
      lossy = false;
      return defect == ContentMoveDefect.NO_SUM ? ArrivingContent.sum(last, directory) : target.sum();
    }

    @Override
    public void own(long as, Positions given, long version) {
      target.own(as, given, version);
    }
  }
}
