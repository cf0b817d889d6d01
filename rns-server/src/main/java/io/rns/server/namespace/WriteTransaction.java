package io.rns.server.namespace;

import io.rns.api.Answer;
import io.rns.api.ArriveRequest;
import io.rns.api.ContentRequest;
import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.api.WriteRequest;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.permission.AccessControl;
import io.rns.permission.AccessDecisions;
import io.rns.server.store.AnswerColumn;
import io.rns.server.store.GroupTable;
import io.rns.server.store.GroupTable.GroupRow;
import io.rns.server.store.RequestKey;
import io.rns.server.store.RequestLogTable;
import io.rns.server.store.RequestLogTable.AnsweredRequest;
import io.rns.server.store.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One transaction of the writer over a batch of requests. It is decided on the state that the last commit left, as far
 * as the cache knows it without a word to the database, and sent as a whole: a guard that fails if the state is another
 * one, the changes, and the commit.
 */
final class WriteTransaction {
  private final GroupRows rows;
  private final Draft draft;
  private final GroupRow before;
  private final List<PendingWrite> batch;
  private final List<Runnable> deliveries = new ArrayList<>();
  private final List<AnsweredRequest> answered = new ArrayList<>();
  /** Requests whose answers take the place of such that had less. */
  private final Set<RequestKey> replaced = new HashSet<>();
  private final FrozenContent frozen;
  private final List<PendingWrite> held = new ArrayList<>();
  private final WriterSettings settings;
  private final AccessControl control;
  private boolean repeating;

  /** Requests that leave no row that would show whether they were answered before. */
  private final Set<RequestKey> unanswered = new HashSet<>();

  private WriteTransaction(
      GroupRows rows, Draft draft, FrozenContent frozen, GroupRow before, List<PendingWrite> batch,
      WriterSettings settings, AccessControl control) {
    this.rows = rows;
    this.draft = draft;
    this.frozen = frozen;
    this.before = before;
    this.batch = batch;
    this.settings = settings;
    this.control = control;
  }

  /**
   * Applies the requests, in memory.
   *
   * @param frozen content to which nothing is written now
   * @param group the state that the last commit left
   * @param assuming whether names and request ids may be taken for new ones without asking; if one is not, the
   *        transaction fails and has to be repeated without
   * @param settings of the writer; if it is in a group, an answer that is given again has to be committed, too: the
   *        database may have it from a commit that no replica has acknowledged
   * @param control what callers may do
   * @throws RnsException {@link RnsError#BUSY} if it is to be repeated
   */
  static WriteTransaction prepare(
      GroupRows rows,
      EntryCache cache,
      Heights heights,
      DelegatedDirectories delegated,
      Departures departures,
      FrozenContent frozen,
      GroupRow group,
      Instant time,
      List<PendingWrite> batch,
      boolean assuming,
      WriterSettings settings,
      AccessControl control) {
    Draft draft = new Draft(rows, cache, heights, delegated, departures, group, time, assuming);
    WriteTransaction transaction = new WriteTransaction(rows, draft, frozen, group, batch, settings, control);
    transaction.apply();
    return transaction;
  }

  /** Locks the server group's row, which only the primary of the epoch may do. */
  static GroupRow lock(Connection connection, int epoch) throws SQLException {
    GroupRow group = GroupTable.lock(connection);
    if (group.position().epoch() != epoch) {
      throw new RnsException(
          RnsError.NOT_PRIMARY,
          "another server has become the primary (epoch " + group.position().epoch() + "; this server's is " + epoch
              + ")");
    }
    return group;
  }

  private void apply() {
    Map<RequestKey, AnsweredRequest> known =
        draft.assumes() && batch.stream().allMatch(write -> remembered(write).isEmpty())
            ? new HashMap<>()
            : rows.answered(keys());
    WriteRules rules = new WriteRules(draft, frozen, settings.anchors(), control);
    List<WriteRequest> requests =
        batch.stream().filter(write -> !known.containsKey(write.key())).map(PendingWrite::request).toList();
    lookUp(requests);
    new WriteLookUps(draft).loadDirectoriesAndPlaces(requests);
    Map<RequestKey, AnsweredRequest> all = new HashMap<>(known);
    for (PendingWrite write : batch) {
      RequestKey key = write.key();
      AnsweredRequest former = key == null ? null : all.get(key);
      if (former != null && !isPartOnly(write, former)) {
        repeating = true;
        deliveries.add(() -> repeat(write, former));
      } else if (frozen.holds(draft, write.request())) {
        held.add(write);
      } else {
        answer(write, rules, key, all);
      }
    }
    draft.checkAssumptions();
    if (draft.assumes() && !unanswered.isEmpty() && !rows.answered(unanswered).isEmpty()) {
      throw new RnsException(RnsError.BUSY, "a request is not answered here, but was before");
    }
  }

  /**
   * Sends it, to its end.
   *
   * @throws SQLException if it was not committed, or if that is not known; also for a unique key that is violated
   *         because of what was assumed
   */
  void commit(Connection connection) throws SQLException {
    statements(connection).commit();
  }

  /** All but its end. */
  Statements statements(Connection connection) throws SQLException {
    Statements statements = new Statements(connection);
    GroupTable.replace(statements, before, after());
    draft.rows().write(statements);
    RequestLogTable.forget(statements, replaced);
    RequestLogTable.insert(statements, before.lastAnswers(), draft.time(), answered);
    return statements;
  }

  /** The state that it leaves. */
  GroupRow after() {
    long lastAnswers = before.lastAnswers() + RequestLogTable.rows(answered);
    return new GroupRow(
        draft.position(), draft.lastEntry(), lastAnswers, draft.time(), draft.reflected(), before.confirmed());
  }

  /** Whether an answer may be that to another part of the same batch, or to the same in other words. */
  private boolean isPartOnly(PendingWrite write, AnsweredRequest former) {
    return hasOtherGroups() && (write.repeats(former)
        ? PartlyAnswered.isInParts(write.request(), former)
        : PartlyAnswered.isPossible(write.request(), former, write.resembles(former)));
  }

  private void lookUp(List<WriteRequest> requests) {
    List<Target> targets = new ArrayList<>();
    requests.forEach(request -> targets.addAll(WriteLookUps.toLookUp(request, draft.assumes())));
    draft.committed().loadStarts(targets.stream().map(Target::start).toList());
    Resolution.prefetch(draft, targets);
  }

  private Set<RequestKey> keys() {
    Set<RequestKey> keys = new HashSet<>();
    for (PendingWrite write : batch) {
      RequestKey key = write.key();
      if (key != null) {
        keys.add(key);
      }
      remembered(write).forEach(each -> keys.add(each.key()));
    }
    return keys;
  }

  /** Answers that another server group gave to requests about content that comes from there. */
  private static List<AnsweredRequest> remembered(PendingWrite write) {
    return write.request() instanceof ContentRequest(EntryId of, ContentRequest.Remember(long token, String answers))
        ? RequestLogTable.readAll(Base64.getDecoder().decode(answers))
        : List.of();
  }

  /** Applies a request; whatever it comes to, the others of the batch go on. */
  private void answer(
      PendingWrite write, WriteRules rules, @Nullable RequestKey key, Map<RequestKey, AnsweredRequest> all) {
    int mark = draft.mark();
    try {
      apply(write, rules, key, all);
    } catch (RuntimeException | Error e) {
      if (e.getCause() instanceof SQLException || (batch.size() > 1 && isTooMuch(e))) {
        // It is the transaction that has failed, or what the requests before have to do with is too much already.
        throw e;
      }
      draft.rollback(mark);
      RnsException error = PendingWrite.notApplied(e);
      deliveries.add(() -> write.fail(error));
    }
  }

  /** Whether requests have to do with more than one transaction may have; each alone may be in order. */
  static boolean isTooMuch(Throwable e) {
    return e instanceof RnsException known && known.error() == RnsError.LIMIT_EXCEEDED;
  }

  private void apply(
      PendingWrite write, WriteRules rules, @Nullable RequestKey key, Map<RequestKey, AnsweredRequest> all) {
    AnsweredRequest former = key == null ? null : all.get(key);
    PartlyAnswered parts = former == null ? null : PartlyAnswered.of(draft, write.request(), former);
    if (former != null && parts == null) {
      throw reused(write);
    }
    Function<WriteRequest, List<Outcome<Entry>>> apply =
        request -> AccessDecisions.during(write.decisions(), () -> rules.apply(write.call().caller(), request));
    List<Outcome<Entry>> outcomes = parts == null ? apply.apply(write.request()) : parts.complete(apply);
    for (AnsweredRequest each : remembered(write)) {
      AnsweredRequest known = all.get(each.key());
      if (known == null || PartlyAnswered.hasMore(each, known)) {
        keep(known == null ? each : PartlyAnswered.merged(known, each), all);
      }
    }
    Answer<List<Outcome<Entry>>> answer =
        new Answer.Served<>(outcomes, draft.position(), draft.reflected(), 0);
    if (parts != null && (parts.applied().isEmpty() || isElsewhere(parts.applied()))) {
      repeating = true;
    } else if (key != null && isElsewhere(outcomes) && !(write.request() instanceof ArriveRequest)) {
      // Only of an entry that moves here the answer decides, whatever it is, so that it must stay the same. Else what
      // is not here is not answered here: when it comes, it brings along what was answered where it was.
      unanswered.add(key);
    } else if (key != null) {
      byte[] column = AnswerColumn.write(write.request(), answer);
      keep(new AnsweredRequest(key, write.fingerprint(), parts == null ? column : parts.kept(column)), all);
    }
    deliveries.add(() -> write.complete(answer));
  }

  /** Keeps an answer, in place of one that has less. */
  private void keep(AnsweredRequest answer, Map<RequestKey, AnsweredRequest> all) {
    if (all.put(answer.key(), answer) != null && !answered.removeIf(each -> each.key().equals(answer.key()))) {
      replaced.add(answer.key());
    }
    answered.add(answer);
  }

  /** Whether nothing was done because other groups have what a request is about. */
  private boolean isElsewhere(List<Outcome<Entry>> outcomes) {
    return outcomes.stream().anyMatch(this::isElsewhere) && outcomes.stream().allMatch(
        outcome -> isElsewhere(outcome) || outcome instanceof Outcome.Refused<Entry>(Refusal.NotApplied none));
  }

  /** Whether another group has what a request is about, or may have it: this one does not know the start. */
  private boolean isElsewhere(Outcome<Entry> outcome) {
    return outcome instanceof Outcome.Refused<Entry>(Refusal refusal)
        && (refusal instanceof Refusal.Delegated
            || (refusal instanceof Refusal.NoSuchEntry missing && missing.missing() == 0 && hasOtherGroups()));
  }

  /** Whether other groups have parts of the tree, or had: what came from there is reflected ever since. */
  private boolean hasOtherGroups() {
    return draft.position().group() != 0 || !draft.delegated().isEmpty() || !draft.reflected().each().isEmpty();
  }

  private void repeat(PendingWrite write, AnsweredRequest former) {
    if (write.repeats(former)) {
      Answer<List<Outcome<Entry>>> answer = AnswerColumn.read(write.request(), former.answer());
      write.complete(new Answer.Served<>(answer.value(), answer.position(), draft.reflected(), 0));
    } else {
      write.fail(reused(write));
    }
  }

  private static RnsException reused(PendingWrite write) {
    return new RnsException(
        RnsError.REQUEST_ID_REUSED,
        "request id '" + write.call().requestId().orElseThrow() + "' was used before for a different request");
  }

  /** Those of its requests that have to wait, because of which it has neither changes nor answers. */
  List<PendingWrite> held() {
    return held;
  }

  /** The answers that it has committed besides the changes. */
  List<AnsweredRequest> answered() {
    return answered;
  }

  /** Those of them that were answered before, in part. */
  Set<RequestKey> replaced() {
    return replaced;
  }

  /** The changes, for the cache. */
  Draft draft() {
    return draft;
  }

  /** The position before the transaction. */
  Position before() {
    return before.position();
  }

  /** How many requests it answers. */
  int requests() {
    return batch.size();
  }

  /** Whether there is anything to commit. */
  boolean writesNothing() {
    return draft.isEmpty() && answered.isEmpty() && !(settings.inGroup() && repeating);
  }

  /**
   * Answers all callers; to be called when the transaction is known to be committed.
   *
   * @throws RuntimeException when all others are answered, if some could not be
   */
  void deliver() {
    RuntimeException failed = null;
    for (Runnable delivery : deliveries) {
      try {
        delivery.run();
      } catch (RuntimeException e) {
        failed = failed == null ? e : failed;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
