package io.rns.wire.resource;

import io.rns.api.Answer;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.wire.Markup;
import io.rns.wire.ReplyHeaders;
import java.time.Instant;
import java.util.Optional;

/** The iterators of a service as resources. */
public interface Iterators {
  /**
   * The state of an iterator.
   *
   * @param size the number of elements, as far as known
   * @param end when it expires unless used, or unconditionally if a client has set a termination time
   */
  record State(long size, Instant end) {}

  /** The state of an iterator; the call counts as a use. Empty if the iterator does not exist (any more). */
  Optional<State> find(String id);

  /** Ends an iterator; false if it does not exist (any more). */
  boolean end(String id);

  /**
   * Sets the termination time of an iterator, which applies even if it is in use; a time in the past ends it now.
   *
   * @param time the time; empty for never
   * @return false if the iterator does not exist (any more)
   * @throws io.rns.error.RnsException {@link RnsError#LIMIT_EXCEEDED} if the time is too late
   */
  boolean endAt(String id, Optional<Instant> time);

  /** The refusal for an unknown iterator. */
  static Refusal unknown(String id) {
    String message =
        "there is no iterator '" + Markup.shown(id) + "' (any more): unused iterators expire";
    return new Refusal.Invalid(Target.ROOT, RnsError.NO_SUCH_ENTRY, message);
  }

  /** The answer to a request on an unknown iterator. */
  static <O> Answer<Outcome<O>> gone(String id) {
    return Answer.of(Outcome.refused(unknown(id)), ReplyHeaders.NOWHERE);
  }
}
