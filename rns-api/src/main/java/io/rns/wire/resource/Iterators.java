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
   * How an iterator is.
   *
   * @param size how many elements it has, as far as is known
   * @param end when it ends if it is not used until then, or in any case if somebody has said so
   */
  record State(long size, Instant end) {}

  /** How an iterator is, which is a use of it; empty if there is no such iterator, or no longer. */
  Optional<State> find(String id);

  /** Ends an iterator; false if there is no such iterator, or no longer. */
  boolean end(String id);

  /**
   * Sets when an iterator ends, whether it is used or not; in the past means now.
   *
   * @param time the time; empty for never
   * @return false if there is no such iterator, or no longer
   * @throws io.rns.error.RnsException {@link RnsError#LIMIT_EXCEEDED} if that is too late
   */
  boolean endAt(String id, Optional<Instant> time);

  /** What is told of an iterator that is not there. */
  static Refusal unknown(String id) {
    String message =
        "there is no iterator '" + Markup.shown(id) + "', or no longer: one that is not used for a while ends";
    return new Refusal.Invalid(Target.ROOT, RnsError.NO_SUCH_ENTRY, message);
  }

  /** The answer to a request about an iterator that is not there. */
  static <O> Answer<Outcome<O>> gone(String id) {
    return new Answer<>(Outcome.refused(unknown(id)), ReplyHeaders.NOWHERE);
  }
}
