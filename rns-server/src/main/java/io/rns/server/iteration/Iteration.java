package io.rns.server.iteration;

import io.rns.api.CallContext;
import io.rns.api.Cursor;
import io.rns.api.Outcome;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Optional;

/**
 * How far one iterator has come. Calls name an element by its number; the elements are found by name, so that none is
 * missed or told twice while others come and go. So the names at a few numbers are kept: those where the latest call
 * began and ended, where the first block ended, and the beginning.
 *
 * <p>Callers count in one of two ways: from the first element behind the first block, or from the first of all. Which,
 * their first call shows: it asks for number 0, or for the one behind the first block. Thread-safe.
 */
public final class Iteration {
  /** The most elements that a call may pass over to get to a number at which no name is kept. */
  public static final int PASSED_OVER = 100_000;

  private enum Counting {
    UNDECIDED, FROM_FIRST_OF_ALL, FROM_FIRST_OF_REST
  }

  /** The name behind which the element with a number is; none at the beginning. */
  private record Mark(long number, Optional<Cursor> behind) {}

  private final ElementSource course;
  private final Mark beginning = new Mark(0, Optional.empty());
  private final Mark rest;
  private final long expected;
  private final boolean isExpectedKnown;
  private Mark begun;
  private Mark ended;
  private long end = Long.MAX_VALUE;
  private Counting counting = Counting.UNDECIDED;

  /**
   * An iterator over the rest of a course.
   *
   * @param shown how many elements the first block has
   * @param next where the rest begins
   * @param expected how many elements there are in all, as far as is known
   */
  public Iteration(ElementSource course, long shown, Cursor next, long expected) {
    this(course, shown, next, expected, true);
  }

  /** An iterator over the rest of a listing of unknown length. */
  public Iteration(ElementSource course, long shown, Cursor next) {
    this(course, shown, next, 0, false);
  }

  private Iteration(ElementSource course, long shown, Cursor next, long expected, boolean isExpectedKnown) {
    this.course = course;
    this.isExpectedKnown = isExpectedKnown;
    this.rest = new Mark(shown, Optional.of(next));
    this.expected = Math.max(expected, shown + 1);
    this.begun = rest;
    this.ended = rest;
  }

  ElementSource course() {
    return course;
  }

  /**
   * Goes to an element and reads from there.
   *
   * @param offset the number of the element as the caller counts
   * @param count the most elements to answer
   * @return why the course cannot be read, or the passage
   * @throws RnsException {@link RnsError#LIMIT_EXCEEDED} if the element is too far from all that were returned
   */
  public Outcome<ElementCursor> pass(CallContext call, long offset, long count) {
    long number = number(offset);
    Mark from = nearest(number);
    boolean beyond = number >= end() || (isExpectedKnown && number > from.number() && number >= expected);
    ElementCursor passage =
        new ElementCursor(this, call, beyond ? number : from.number(), beyond ? Optional.empty() : from.behind());
    if (beyond || count == 0) {
      return passage.nothing();
    }
    if (number - from.number() > PASSED_OVER) {
      throw new RnsException(
          RnsError.LIMIT_EXCEEDED,
          "iterate: element " + offset + " is " + (number - from.number())
              + " elements behind the nearest known one; the limit is "
              + PASSED_OVER + " elements");
    }
    return passage.begin(number, count);
  }

  private synchronized long number(long offset) {
    if (counting == Counting.UNDECIDED) {
      counting = offset == 0 ? Counting.FROM_FIRST_OF_REST : Counting.FROM_FIRST_OF_ALL;
    }
    boolean overflows = offset > Long.MAX_VALUE - rest.number();
    return overflows ? Long.MAX_VALUE : offset + skipped();
  }

  private synchronized Mark nearest(long number) {
    Mark nearest = beginning;
    for (Mark mark : new Mark[]{rest, begun, ended}) {
      if (mark.number() <= number && mark.number() > nearest.number()) {
        nearest = mark;
      }
    }
    return nearest;
  }

  private synchronized long end() {
    return end;
  }

  /** Keeps where a call begins: it may be repeated. */
  synchronized void begin(long number, Optional<Cursor> behind) {
    begun = new Mark(number, behind);
  }

  /** Keeps how far a call has come. */
  synchronized void reach(long number, Optional<Cursor> next) {
    if (next.isPresent()) {
      ended = new Mark(number, next);
    } else {
      end = number;
    }
  }

  /** The elements that the caller does not count. */
  synchronized long skipped() {
    return counting == Counting.FROM_FIRST_OF_REST ? rest.number() : 0;
  }

  /** How many elements the caller should expect, if there is one with {@code number}. */
  synchronized long sizeWith(long number) {
    return Math.max(expected, number + 1) - skipped();
  }

  /** How many elements the caller should expect, as far as is known. */
  public synchronized long size() {
    return (end == Long.MAX_VALUE ? expected : end) - skipped();
  }
}
