package io.rns.server.iteration;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Cursor;
import io.rns.api.Outcome;
import io.rns.error.Limits;
import io.rns.wire.ReplyForm;
import io.rns.xml.XmlBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The elements of one call, of which one stretch is in memory at a time. Belongs to one thread. */
public final class ElementCursor {
  private final Iteration iteration;
  private final CallContext call;
  private final long skipped;
  private long number;
  private Optional<Cursor> behind;
  private long wanted;
  private long size;
  private Answer.@Nullable Served<?> first;
  private @Nullable ElementRange stretch;
  private int at;

  ElementCursor(Iteration iteration, CallContext call, long number, Optional<Cursor> behind) {
    this.iteration = iteration;
    this.call = call;
    this.skipped = iteration.skipped();
    this.number = number;
    this.behind = behind;
    this.size = iteration.size();
  }

  /** An answer without elements. */
  Outcome<ElementCursor> nothing() {
    return Outcome.done(this);
  }

  /** Passes over the elements before {@code first} and reads from there. */
  Outcome<ElementCursor> begin(long first, long count) {
    while (number < first) {
      Outcome<ElementRange> passed = read((int) Math.min(Limits.PAGE_ENTRIES, first - number));
      if (passed instanceof Outcome.Refused<ElementRange> refused) {
        return Outcome.refused(refused.refusal());
      }
      boolean more = advance(passed.orThrow());
      if (!more) {
        size = iteration.size();
        return nothing();
      }
    }
    iteration.begin(number, behind);
    wanted = count;
    Outcome<ElementRange> read = read(most());
    if (read instanceof Outcome.Refused<ElementRange> refused) {
      return Outcome.refused(refused.refusal());
    }
    stretch = read.orThrow();
    long last = number + stretch.size();
    size = stretch.next().isPresent() ? iteration.sizeWith(last) : last - skipped;
    return Outcome.done(this);
  }

  private int most() {
    return (int) Math.min(Limits.DEFAULT_PAGE_ENTRIES, wanted);
  }

  private Outcome<ElementRange> read(int most) {
    Answer<Outcome<ElementRange>> answer = iteration.course().read(call, behind, most);
    if (first == null && answer instanceof Answer.Served<?> served) {
      first = served;
    }
    return answer.value();
  }

  /** Passes a stretch; false at the end of the course. */
  private boolean advance(ElementRange passed) {
    number += passed.size();
    behind = passed.next();
    iteration.reach(number, behind);
    return behind.isPresent();
  }

  /** The answer that the first elements come from; empty if nothing had to be read. */
  public Optional<Answer.Served<?>> first() {
    return Optional.ofNullable(first);
  }

  /** How many elements the caller should expect of the iterator. */
  public long size() {
    return size;
  }

  /**
   * Whether there is another element, which may have to be read.
   *
   * @throws io.rns.error.RnsException if it cannot be had
   */
  public boolean hasNext() {
    while (stretch != null && at == stretch.size()) {
      wanted -= at;
      at = 0;
      boolean more = advance(stretch);
      stretch = more && wanted > 0 ? read(most()).orThrow() : null;
    }
    return stretch != null;
  }

  /** Appends the element that {@link #hasNext} found and moves on. */
  public void write(XmlBuffer out, ReplyForm form) {
    ElementRange current = java.util.Objects.requireNonNull(stretch);
    current.write(out, at, number + at - skipped, form);
    at++;
  }
}
