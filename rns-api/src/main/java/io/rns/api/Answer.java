package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.function.Function;

/**
 * What a server answers a request with: a result, or the server to ask instead.
 *
 * <p>Only a call whose {@link Routing} is not {@link Routing#FORWARD} may be referred. Clients follow referrals, so
 * that their answers are results.
 *
 * @param <T> the result
 */
public sealed interface Answer<T> {
  /**
   * The result.
   *
   * @throws RnsException {@link RnsError#NOT_PRIMARY} with the address of the other server, if the call was referred
   */
  T value();

  /**
   * For a write, its position in the change log; for a read, a position whose changes are all visible in the result.
   *
   * @throws RnsException as {@link #value} does
   */
  Position position();

  /**
   * The {@link #position}, and those of other server groups that the result reflects.
   *
   * @throws RnsException as {@link #value} does
   */
  Positions positions();

  /**
   * Maximum staleness of a read in ms: the result includes every change acknowledged at least this long ago; 0 from the
   * primary.
   *
   * @throws RnsException as {@link #value} does
   */
  long ageMillis();

  /** Returns the same answer with another result; a referral stays the same. */
  <U> Answer<U> map(Function<? super T, ? extends U> mapping);

  /** A result with an age of 0 ms. */
  static <T> Answer<T> of(T value, Position position) {
    return new Served<>(value, position, Positions.NONE, 0);
  }

  /**
   * A result and the positions it reflects.
   *
   * @param others the positions of other server groups
   */
  record Served<T>(T value, Position position, Positions others, long ageMillis) implements Answer<T> {
    /** A result of one server group. */
    public Served(T value, Position position, long ageMillis) {
      this(value, position, Positions.NONE, ageMillis);
    }

    @Override
    public Positions positions() {
      return others.with(position);
    }

    @Override
    public <U> Served<U> map(Function<? super T, ? extends U> mapping) {
      return new Served<>(mapping.apply(value), position, others, ageMillis);
    }
  }

  /**
   * This server cannot answer; the primary can. Nothing was applied.
   *
   * @param server the address of the primary, for example {@code http://host:8080/rns}
   * @param reason the facts in one sentence
   */
  record Referred<T>(String server, String reason) implements Answer<T> {
    /** The error code by which a referral is known where only errors can be reported. */
    public static final RnsError ERROR = RnsError.NOT_PRIMARY;

    /** The referral as an error, for callers that do not follow it. */
    public RnsException toException() {
      return RnsException.referral(ERROR, reason, server);
    }

    @Override
    public T value() {
      throw toException();
    }

    @Override
    public Position position() {
      throw toException();
    }

    @Override
    public Positions positions() {
      throw toException();
    }

    @Override
    public long ageMillis() {
      throw toException();
    }

    @Override
    public <U> Referred<U> map(Function<? super T, ? extends U> mapping) {
      return new Referred<>(server, reason);
    }
  }
}
