package io.rns.client.plain;

import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.api.Outcome.Refused;
import io.rns.api.Refusal;
import io.rns.api.Refusal.Invalid;
import io.rns.api.Target;
import io.rns.client.call.Deadline;
import io.rns.client.call.ExchangeFailure;
import io.rns.client.call.UnknownOutcomeException;
import io.rns.client.message.StandardCall;
import io.rns.client.message.StandardCall.Result;
import io.rns.client.plain.PlainTree.Reached;
import io.rns.client.plain.PlainTree.Where;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.List;
import java.util.function.Supplier;

/** The messages of one write to a server of plain RNS 1.1, one after the other. Used by one thread. */
final class PlainWrite {
  private final PlainTree tree;
  private final ReferenceCalls calls;
  private final Deadline deadline;
  private boolean changed;

  PlainWrite(PlainTree tree, ReferenceCalls calls, Deadline deadline) {
    this.tree = tree;
    this.calls = calls;
    this.deadline = deadline;
  }

  PlainTree tree() {
    return tree;
  }

  ReferenceCalls calls() {
    return calls;
  }

  Deadline deadline() {
    return deadline;
  }

  /** That an item needs what the standard does not have; nothing of it is done. */
  static Outcome<Entry> lacking(Target target, String what) {
    return Outcome.refused(new Invalid(target, RnsError.UNKNOWN_OPERATION, message(target.toString(), what)));
  }

  private static String message(String what, String lacking) {
    return what + ": the server speaks plain RNS 1.1, which has no " + lacking;
  }

  /**
   * Refuses to do several items together or not at all.
   *
   * @throws RnsException {@link RnsError#UNKNOWN_OPERATION}
   */
  static void noTransactions(String operation, boolean allOrNothing, int items) {
    if (allOrNothing && items > 1) {
      throw new RnsException(
          RnsError.UNKNOWN_OPERATION, message(operation + " of " + items + " items", "all-or-nothing batches"));
    }
  }

  /** Asks without changing anything. */
  <T> T read(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (RnsException e) {
      throw failed(e);
    }
  }

  /** Checks a bound that may turn out to be passed when a part is done. */
  void check(Supplier<String> what, long value, long limit, String unit) {
    try {
      Limits.check(what, value, limit, unit);
    } catch (RnsException e) {
      throw failed(e);
    }
  }

  /** Finds the entries, without the properties of directories. */
  Outcome<Entry> look(Target target) {
    return read(() -> new PlainQuery(tree, calls, deadline).look(List.of(target)).get(0));
  }

  /** Sends a message that changes something to a directory, which is found first. */
  <A> Outcome<Reached<A>> send(Where where, StandardCall<A> call) {
    Outcome<DirectoryPlace> place = read(() -> tree.resolve(where, true, deadline));
    if (place instanceof Refused<DirectoryPlace> refused) {
      return Outcome.refused(refused.refusal());
    }
    try {
      Outcome<Reached<A>> outcome = tree.ask(where, call, deadline);
      changed |= outcome instanceof Outcome.Done;
      return outcome;
    } catch (RnsException e) {
      throw changed || !ExchangeFailure.leftNothing(e) ? partly(e) : e;
    }
  }

  /** Sends a message that changes something to a place, and gives its answer as it is. */
  <A> Result<A> change(DirectoryPlace place, StandardCall<A> call) {
    try {
      Result<A> result = calls.ask(place.reference(), call, deadline);
      changed |= result instanceof Result.Done;
      return result;
    } catch (RnsException e) {
      throw changed || !ExchangeFailure.leftNothing(e) ? partly(e) : e;
    }
  }

  /** The error of a write that goes on no further. */
  RnsException failed(RnsException e) {
    return changed ? partly(e) : e;
  }

  private RnsException partly(RnsException e) {
    String left = changed ? "; a part of the write was applied" : "; the write may or may not have been applied";
    return new RnsException(e.error(), e.getMessage() + left, new UnknownOutcomeException(e));
  }

  /** The refusal of one target where the whole message about several was refused. */
  static Outcome<Entry> refused(Outcome<?> message, Target target) {
    Refusal refusal = ((Refused<?>) message).refusal();
    return Outcome.refused(PlainTree.of(refusal, target));
  }
}
