package io.rns.server.namespace;

import io.rns.api.Answer;
import io.rns.api.ContentRequest;
import io.rns.api.ContentRequest.Freeze;
import io.rns.api.ContentRequest.Give;
import io.rns.api.ContentRequest.Offer;
import io.rns.api.ContentRequest.Step;
import io.rns.api.ContentRequest.Thaw;
import io.rns.api.Entry;
import io.rns.api.Entry.VirtualDirectory;
import io.rns.api.EntryId;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.Timing;
import io.rns.server.namespace.ArrivingContent.Depths;
import io.rns.server.namespace.ContentTarget.Receipt;
import io.rns.server.store.AnswerColumn;
import io.rns.server.store.EntryTable;
import io.rns.server.store.RequestLogTable;
import io.rns.server.store.RequestLogTable.AnsweredRequest;
import io.rns.server.store.RequestLogTable.Given;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * At the primary of the group that owns a directory's content: brings it to another group.
 *
 * <p>The content is copied as it is in one snapshot. Then rounds follow, each of which brings the copy from one
 * snapshot to a later one: what has changed between the two is known from the change log. If that takes more memory
 * than it may, the round goes through all entries instead, and sends those that the other group then lacks. After the
 * round in which the sums of both sides are compared, rounds are short. For the last one, writes to the content wait.
 * The one commit by which this group gives the content away decides; whatever fails before, it stays here, and whatever
 * fails after, the other group has all of it and takes over when it learns of that commit.
 *
 * <p>What an interrupted move has copied is kept: all of it was read after a change whose number the other group knows,
 * so what has not changed since is as it should be. What has changed is lifted there, or removed, and all entries that
 * the other group then lacks are sent. If the sums differ after that, the copy begins afresh.
 */
public final class DepartingContent {
  private static final Logger LOG = LoggerFactory.getLogger(DepartingContent.class);
  private static final int BATCH_ENTRIES = 1_000;
  private static final long BATCH_BYTES = 512 << 10;

  /** A round with as few changes is over in a moment, so that writes can wait for one. */
  private static final int FEW = 50;

  /**
   * So is one that takes no longer. If others write all the time, rounds do not become shorter: then writes wait for a
   * longer one, of up to half a freeze.
   */
  private static final Duration MOMENT = Duration.ofMillis(100);
  private static final int MOST_MOMENTS = 15;

  private static final int MOST_ROUNDS = 50;
  private static final int MOST_COMPARED = 20;

  /** If more has changed since an interrupted move, copying all is not slower. */
  private static final int MOST_CHANGES = 100_000;

  /** Longer than any client repeats a request whose answer it has not seen. */
  private static final Duration ANSWERS_KEPT = Duration.ofHours(1);
  private static final int ANSWERS = 1_000;
  private static final String HANDING_OVER = "handing over";
  private static final Duration HANDED_OVER_WITHIN = Duration.ofMinutes(1);
  private static final Duration CLEARED_WITHIN = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(20);

  /** A replica further behind makes readers wait, or go to the primary. */
  private static final Duration MOST_LAG = Duration.ofSeconds(2);
  /** How long the copy waits for replicas; then it goes on, so that one that is broken only makes it slow. */
  private static final Duration REPLICAS_AWAITED = Duration.ofSeconds(10);
  private static final Duration LAG_LOOKED_AT_EVERY = Duration.ofMillis(250);

  private final ContentSteps steps;
  private final GroupSnapshots snapshots;
  private final EntryId directory;
  private final int from;
  private final int to;
  private final Supplier<ContentTarget> targets;
  private final long keptBytes;
  private final Timing timing;
  private final AtomicLong copied = new AtomicLong();
  private volatile String phase = "preparing";
  private volatile boolean cancelled;
  /** Of the try under way. */
  private ContentTarget target;
  private long token;
  /** Of this group when it offered the content. */
  private int epoch;
  /** Whether the token is one. */
  private boolean hasToken;
  /** Whether the content may have been given away, also by a step whose answer was lost. */
  private boolean mayBeGiven;

  /** Requests that were answered earlier are not told to the next owner. */
  private final Instant answersSince;
  /** The number of the last row of them. */
  private long answersFrom;
  /** The number of the last row of those that the next owner has. */
  private long answersTo;

  /** Whether both sides have been compared. */
  private boolean isCompared;
  /** Whether the target has given up directories, whose content it deletes in its own time. */
  private boolean gaveUpDirectories;
  /** Whether it has given up content that is to be sent once that is deleted. */
  private boolean gaveUpContent;
  private long lagLookedAt;

  /**
   * A move.
   *
   * @param keptBytes most that is kept in memory of entries that change meanwhile
   */
  DepartingContent(
      ContentSteps steps, GroupSnapshots snapshots, EntryId directory, int from, int to,
      Supplier<ContentTarget> targets, long keptBytes, Timing timing, Instant began) {
    this.steps = steps;
    this.snapshots = snapshots;
    this.directory = directory;
    this.from = from;
    this.to = to;
    this.targets = targets;
    this.keptBytes = keptBytes;
    this.timing = timing;
    this.answersSince = began.minus(ANSWERS_KEPT);
    this.lagLookedAt = timing.nanoTime() - LAG_LOOKED_AT_EVERY.toNanos();
  }

  /** What is being done, in one word. */
  public String phase() {
    return phase;
  }

  /** How many entries have been copied; from 0 again if so much has changed that all are gone through again. */
  public long copied() {
    return copied.get();
  }

  /** Ends the move soon, unless it has come to the commit that gives the content away. */
  public void cancel() {
    cancelled = true;
  }

  /** Whether it was to end; it may have been too late for that. */
  public boolean isCancelled() {
    return cancelled;
  }

  private void checkWanted() {
    if (cancelled) {
      throw new RnsException(
          RnsError.INVALID_REQUEST, "the move was cancelled, the content stays with server group " + from);
    }
  }

  /**
   * Has content inside come back that the next owner has: a group cannot take in what is around its own.
   *
   * @param gives has the next owner move the content of a directory to this group, or go on with that; tells whether it
   *        has
   * @return whether any came back
   * @throws RnsException as {@link #move}
   */
  public boolean takeBack(Predicate<EntryId> gives) {
    long since = timing.nanoTime();
    Optional<EntryId> inside = insideOfNextOwner();
    boolean any = inside.isPresent();
    while (inside.isPresent()) {
      checkWanted();
      phase = "taking back content inside";
      if (!gives.test(inside.get())) {
        since = timing.nanoTime();
      } else if (timing.passed(CLEARED_WITHIN, since)) {
        throw new RnsException(
            RnsError.UNAVAILABLE, "the content of " + inside.get() + " inside has not come back from group " + to);
      }
      timing.pause(PAUSE);
      inside = insideOfNextOwner();
    }
    return any;
  }

  private Optional<EntryId> insideOfNextOwner() {
    return snapshots.readSnapshot(rows -> {
      List<Entry> cuts = new ArrayList<>();
      for (List<EntryId> some : ArrivingContent.chunks(rows.delegated())) {
        rows.findIds(some).values().stream().filter(this::isOfNextOwner).forEach(cuts::add);
      }
      Depths depths = new Depths(rows, directory);
      depths.load(cuts);
      return cuts.stream().filter(cut -> depths.of(cut) > 0).map(Entry::id).findFirst();
    });
  }

  private boolean isOfNextOwner(Entry entry) {
    return entry instanceof VirtualDirectory cut && cut.owner().isPresent() && cut.owner().getAsInt() == to;
  }

  /**
   * Moves it.
   *
   * @return how long writes to it waited, in nanoseconds
   * @throws RnsException if it did not move, or, with {@link RnsError#TIMEOUT}, if that is not known; may be tried
   *         again. {@link RnsError#INVALID_REQUEST} also after {@link #cancel}
   */
  public long move() {
    try {
      checkWanted();
      target = targets.get();
      return handOverSoon(caughtUp(copied(false).or(() -> copied(true)).orElseThrow()));
    } catch (RnsException e) {
      if ((cancelled || e.error() == RnsError.LIMIT_EXCEEDED) && hasToken && !mayBeGiven) {
        abandon();
      }
      throw e;
    }
  }

  /** An interrupted move can go on with what it has copied; one that was cancelled, or cannot succeed, will not. */
  private void abandon() {
    try {
      target.abandon(token);
    } catch (RnsException e) {
      LOG.warn("server group {} keeps its copy of {} until the next move: {}", to, directory, e.getMessage());
    }
  }

  /** Rounds, until one is over so soon that writes can wait for the last. */
  private Position caughtUp(Position from) {
    phase = "catching up";
    isCompared = true;
    Position at = from;
    for (int round = 1; round <= MOST_ROUNDS; round++) {
      Position after = at;
      long began = timing.nanoTime();
      Round done = snapshots.readSnapshot(rows -> round(rows, after));
      at = done.position();
      Duration wait = MOMENT.multipliedBy(Math.min(round, MOST_MOMENTS));
      if (done.changes() <= FEW || !timing.passed(wait, began)) {
        return at;
      }
    }
    throw new RnsException(RnsError.UNAVAILABLE, "the content changes faster than it can be copied");
  }

  /**
   * Makes a verified copy.
   *
   * @param afresh whether without what an interrupted move has copied
   * @return up to which position the copy has all changes; empty if what was kept does not serve
   */
  private Optional<Position> copied(boolean afresh) {
    Answer<Outcome<Entry>> offer = step(new Offer(target.version()));
    long at = offer.position().sequence();
    Receipt receipt = target.receive(from, offer.value().orThrow().version(), at, afresh);
    token = receipt.token();
    epoch = offer.position().epoch();
    hasToken = true;
    phase = "copying";
    copied.set(0);
    isCompared = false;
    gaveUpDirectories = false;
    gaveUpContent = false;
    boolean kept = receipt.since() < at;
    Optional<Position> read = snapshots.readAll(rows -> {
      check(rows.position(), at);
      answersFrom = rows.answersBefore(answersSince);
      answersTo = answersFrom;
      return kept ? complete(rows, receipt.since()) : Optional.of(copy(rows, false));
    });
    phase = "verifying";
    return read.flatMap(after -> verified(after, kept));
  }

  private static void check(Position read, long committed) {
    if (read.sequence() < committed) {
      throw new RnsException(RnsError.UNAVAILABLE, "the database shows an older state than was committed");
    }
  }

  /**
   * Hands over as soon as what is inside allows it: content may have come or gone since the last round, so that the
   * target still deletes its former copy of that, or it may be on its way.
   */
  private long handOverSoon(Position from) {
    Position at = from;
    long since = timing.nanoTime();
    while (true) {
      try {
        return handOver(at);
      } catch (RnsException e) {
        if (mayBeGiven || e.error() != RnsError.UNAVAILABLE || timing.passed(HANDED_OVER_WITHIN, since)) {
          throw e;
        }
        LOG.debug("the content of {} is not handed over yet: {}", directory, e.getMessage());
      }
      timing.pause(MOMENT);
      at = caughtUp(at);
    }
  }

  private long handOver(Position at) {
    phase = HANDING_OVER;
    long freeze = ThreadLocalRandom.current().nextLong();
    long began = timing.nanoTime();
    Position frozen = step(new Freeze(freeze)).position();
    try {
      Round last = snapshots.readSnapshot(rows -> round(rows, at));
      check(last.position(), frozen.sequence());
      checkWanted();
      mayBeGiven = true;
      Answer<Outcome<Entry>> given = step(new Give(to, freeze, token, epoch));
      phase = "given";
      own(given.positions(), given.value().orThrow().version());
    } finally {
      thaw();
    }
    phase = "moved";
    return timing.nanoTime() - began;
  }

  /** It learns of that in any case. */
  private void own(Positions given, long version) {
    try {
      target.own(token, given, version);
    } catch (RnsException e) {
      LOG.warn("server group {} does not serve the content of {} yet: {}", to, directory, e.getMessage());
    }
  }

  private void thaw() {
    try {
      Answer<Outcome<Entry>> unused = step(new Thaw());
    } catch (RnsException e) {
      // It thaws by itself.
      LOG.debug("the content of {} is not thawed: {}", directory, e.getMessage());
    }
  }

  private Answer<Outcome<Entry>> step(Step step) {
    Answer<Outcome<Entry>> answer = steps.take(new ContentRequest(directory, step));
    Entry unused = answer.value().orThrow();
    return answer;
  }

  // ---- copying

  /**
   * Sends all entries.
   *
   * @param some whether the target may have some of them already, in their places
   */
  private Position copy(GroupRows rows, boolean some) {
    Position at = rows.position();
    Batches batches = new Batches(some);
    rows.subtree(directory, all -> true, batches::take);
    batches.send();
    sendAnswers(rows);
    return at;
  }

  /** The same after an interrupted move; empty if it is not known, or too much, what has changed since. */
  private Optional<Position> complete(GroupRows rows, long since) {
    Position now = rows.position();
    Position read = new Position(now.group(), now.epoch(), since);
    if (now.sequence() - since > MOST_CHANGES || !ContentChanges.areKept(rows, read)) {
      return Optional.empty();
    }
    giveUp(rows, read);
    return Optional.of(copy(rows, true));
  }

  /** Sends the answers of the last hour, or since they were sent last, that concern the content. */
  private void sendAnswers(GroupRows rows) {
    answersTo = sendAnswers(rows, answersTo, Long.MAX_VALUE, new Depths(rows, directory), true);
  }

  /** Sends the answers up to the last sent that concern directories which have come since: they were passed over. */
  private void sendFormerAnswers(GroupRows rows, List<EntryId> came) {
    long unused = sendAnswers(rows, answersFrom, answersTo, new Depths(rows, came), false);
  }

  /**
   * Sends answers that concern some directories. The others stay here, with what they are about: the next owner has
   * nothing that their requests would change, so it refuses these, keeps no answer, and they come back to this group.
   *
   * @param after the number of the last row that is not to be sent
   * @param most the number of the last to be sent; some later ones may be, too
   * @param depths of the directories
   * @param gone whether it may be those, too, that are no longer there
   * @return the number of the last row
   */
  private long sendAnswers(GroupRows rows, long after, long most, Depths depths, boolean gone) {
    List<AnsweredRequest> some = new ArrayList<>();
    long bytes = 0;
    long last = after;
    int atOnce = RequestLogTable.FEW_ROWS;
    boolean more = last < most;
    while (more) {
      Given given = rows.answers(last, atOnce);
      List<Set<EntryId>> directories =
          given.requests().stream().map(request -> AnswerColumn.directories(request.answer())).toList();
      Set<EntryId> all = new HashSet<>();
      directories.forEach(all::addAll);
      Set<EntryId> concerned = depths.within(all, gone);
      for (int i = 0; i < directories.size(); i++) {
        AnsweredRequest request = given.requests().get(i);
        if (!Collections.disjoint(directories.get(i), concerned)) {
          some.add(request);
          bytes += request.answer().length;
        }
        if (some.size() == ANSWERS || bytes >= BATCH_BYTES) {
          sendAnswers(some);
          bytes = 0;
        }
      }
      more = given.last() > last && given.last() < most;
      last = given.last();
      atOnce = given.next();
    }
    sendAnswers(some);
    return last;
  }

  private void sendAnswers(List<AnsweredRequest> some) {
    if (!some.isEmpty()) {
      target.remember(token, Base64.getEncoder().encodeToString(RequestLogTable.write(some)));
      some.clear();
    }
  }

  /** Sends entries, as many at a time as fit into one transaction. */
  private final class Batches {
    private final boolean asks;
    private final List<Entry> batch = new ArrayList<>();
    private long bytes;

    /** @param asks whether the target is asked first which of them it has */
    Batches(boolean asks) {
      this.asks = asks;
    }

    void take(Entry entry) {
      checkWanted();
      if (isOfNextOwner(entry)) {
        throw new RnsException(
            RnsError.INVALID_REQUEST,
            "the directory '" + entry.displayName() + "' (id " + entry.id() + ") below belongs to server group " + to
                + " already, and would have to go back first");
      }
      batch.add(entry);
      bytes += EntryTable.contentBytes(entry);
      if (batch.size() >= BATCH_ENTRIES || bytes >= BATCH_BYTES) {
        send();
      }
    }

    void send() {
      int taken = batch.size();
      if (asks && !batch.isEmpty()) {
        Set<EntryId> there = target.settled(batch.stream().map(Entry::id).toList());
        batch.removeIf(entry -> there.contains(entry.id()));
      }
      if (!batch.isEmpty()) {
        awaitReplicas();
        target.insert(token, batch);
      }
      copied.addAndGet(taken);
      batch.clear();
      bytes = 0;
    }
  }

  // ---- rounds

  /**
   * What a round came to.
   *
   * @param position up to which the copy has all changes
   * @param changes how many there were since the round before, in the whole group
   */
  private record Round(Position position, int changes) {}

  /**
   * What both sides have.
   *
   * @param position up to which the copy has all changes
   */
  private record Compared(Position position, ContentSum here, ContentSum there) {
    boolean isSame() {
      return here.equals(there);
    }

    /** Whether they differ as others did. */
    boolean differsAs(Compared other) {
      return here.minus(there).equals(other.here.minus(other.there));
    }
  }

  /**
   * Up to which position all is there; empty if it differs, and may because of what was kept. An entry that moves from
   * the content to the target, or back, while both sides add up theirs makes them differ once, and not the next time.
   */
  private Optional<Position> verified(Position from, boolean kept) {
    Compared last = compared(from);
    for (int times = 1; !last.isSame() && times < MOST_COMPARED; times++) {
      Compared next = compared(last.position());
      if (next.differsAs(last)) {
        break;
      }
      last = next;
    }
    if (last.isSame()) {
      return Optional.of(last.position());
    }
    String differs = "the copy of " + directory + " differs: " + last.here() + " here, " + last.there() + " there";
    if (!kept) {
      throw new RnsException(RnsError.UNAVAILABLE, differs);
    }
    LOG.warn("{}; it begins afresh", differs);
    return Optional.empty();
  }

  private Compared compared(Position after) {
    return snapshots.readAll(rows -> {
      Position at = round(rows, after).position();
      return new Compared(at, ArrivingContent.sum(rows, directory), target.sum());
    });
  }

  /** Brings the copy from the state of a position to that of the snapshot. */
  private Round round(GroupRows rows, Position after) {
    checkWanted();
    ContentChanges changed = changes(false);
    boolean fits = ContentChanges.read(
        rows, after, keptBytes, some -> {
          changed.take(rows, some);
          return changed.fits();
        });
    if (fits) {
      bring(rows, changed);
    } else {
      bringAll(rows, after);
    }
    sendAnswers(rows);
    Position now = rows.position();
    return new Round(now, Math.toIntExact(now.sequence() - after.sequence()));
  }

  private ContentChanges changes(boolean interrupted) {
    return new ContentChanges(directory, this::known, keptBytes, isCompared, interrupted);
  }

  /**
   * Has the target lift entries that are still in the content, perhaps in another place, or below a directory that
   * gives up its content.
   */
  private void lift(ContentChanges changed) {
    for (List<EntryId> some : ArrivingContent.chunks(changed.lifted())) {
      target.remove(token, some, false);
    }
  }

  /** Has the target remove those that are not, after it has lifted all that may be below them. */
  private void remove(ContentChanges changed) {
    List<EntryId> gone = changed.gone();
    gaveUpDirectories |= !gone.isEmpty();
    gaveUpContent |= changed.emptiesSome();
    for (List<EntryId> some : ArrivingContent.chunks(gone)) {
      target.remove(token, some, true);
    }
    changed.removed();
  }

  /** Those of the entries that the target has. */
  private Set<EntryId> known(Collection<EntryId> changed) {
    Set<EntryId> known = new HashSet<>();
    for (List<EntryId> some : ArrivingContent.chunks(changed, BATCH_ENTRIES)) {
      known.addAll(target.has(some));
    }
    return known;
  }

  /** Has the target give up what has changed after a position, however much that is. */
  private void giveUp(GroupRows rows, Position after) {
    giveUp(rows, after, this::lift);
    giveUp(rows, after, this::remove);
    awaitContentCleared();
  }

  private void giveUp(GroupRows rows, Position after, Consumer<ContentChanges> step) {
    boolean unused = ContentChanges.read(
        rows, after, keptBytes, some -> {
          checkWanted();
          ContentChanges changed = changes(true);
          changed.take(rows, some);
          step.accept(changed);
          return true;
        });
  }

  /** Brings more than can be kept in memory: all entries are gone through again. */
  private void bringAll(GroupRows rows, Position after) {
    if (gaveUpDirectories) {
      awaitCleared();
    }
    giveUp(rows, after);
    copied.set(0);
    // Of what has come, the answers were passed over.
    answersTo = answersFrom;
    Position unused = copy(rows, true);
  }

  private void bring(GroupRows rows, ContentChanges changed) {
    if (gaveUpDirectories && changed.hasComing()) {
      awaitCleared();
    }
    lift(changed);
    remove(changed);
    awaitContentCleared();
    Batches batches = new Batches(false);
    changed.missing(rows, batches::take);
    batches.send();
    List<EntryId> directories = changed.comingDirectories(rows);
    if (!directories.isEmpty()) {
      sendFormerAnswers(rows, directories);
    }
  }

  /** Does not copy faster than the target's replicas follow, unless writes wait. */
  private void awaitReplicas() {
    if (phase.equals(HANDING_OVER) || !timing.passed(LAG_LOOKED_AT_EVERY, lagLookedAt)) {
      return;
    }
    String interrupted = phase;
    long since = timing.nanoTime();
    while (target.lagMillis() > MOST_LAG.toMillis() && !timing.passed(REPLICAS_AWAITED, since)) {
      phase = "waiting for replicas";
      checkWanted();
      timing.pause(LAG_LOOKED_AT_EVERY);
    }
    phase = interrupted;
    lagLookedAt = timing.nanoTime();
  }

  private void awaitContentCleared() {
    if (gaveUpContent) {
      awaitCleared();
      gaveUpContent = false;
    }
  }

  /** What comes back may not be deleted after it has been inserted. */
  private void awaitCleared() {
    long since = timing.nanoTime();
    while (!target.isCleared()) {
      if (phase.equals(HANDING_OVER) || timing.passed(CLEARED_WITHIN, since)) {
        throw new RnsException(
            RnsError.UNAVAILABLE, "what has left the content and come back is still being deleted at the next owner");
      }
      timing.pause(PAUSE);
    }
  }
}
