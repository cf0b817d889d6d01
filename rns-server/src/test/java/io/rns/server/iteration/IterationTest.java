package io.rns.server.iteration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Cursor;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.ReplyForm;
import io.rns.wire.resource.IterateRequest;
import io.rns.wire.resource.IteratedBlock;
import io.rns.wire.resource.ResourceOperations;
import io.rns.xml.XmlBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Iterators hold little, read little, and are few. */
class IterationTest {
  private static final ReplyForm FORM = new ReplyForm(false, "http://h/");
  private static final int SHOWN = 10;

  /** Elements that are made when they are read; nothing of them is kept. */
  private static final class Numbers implements ElementSource {
    private final long count;
    private final String content;
    private long read;
    private int most;
    /** How many elements a stretch has at most; every second one has none. */
    private int atOnce = Integer.MAX_VALUE;
    private int calls;

    Numbers(long count, int chars) {
      this.count = count;
      this.content = "x".repeat(chars);
    }

    @Override
    public Answer<Outcome<ElementRange>> read(CallContext call, Optional<Cursor> from, int atMost) {
      long first = from.map(cursor -> Long.parseLong(cursor.after().toString()) + 1).orElse(0L);
      boolean isEmpty = atOnce < Integer.MAX_VALUE && ++calls % 2 == 0;
      int size = isEmpty ? 0 : (int) Math.min(Math.min(atMost, atOnce), count - first);
      read += size;
      most = Math.max(most, atMost);
      return Answer.of(Outcome.done(new Part(first, size, first + size == count, content)), new Position(0, 0, 0));
    }

    Cursor behind(long number) {
      return new Cursor(EntryId.ROOT, EntryName.of(Long.toString(number)));
    }

    private final class Part implements ElementRange {
      private final long first;
      private final String[] elements;
      private final boolean isLast;

      Part(long first, int size, boolean isLast, String content) {
        this.first = first;
        this.isLast = isLast;
        elements = new String[size];
        for (int i = 0; i < size; i++) {
          elements[i] = "<e n=\"" + (first + i) + "\">" + content + "</e>";
        }
      }

      @Override
      public int size() {
        return elements.length;
      }

      @Override
      public Optional<Cursor> next() {
        return isLast ? Optional.empty() : Optional.of(behind(first + elements.length - 1));
      }

      @Override
      public void write(XmlBuffer out, int at, long index, ReplyForm form) {
        ResourceOperations.ITERATE.writeElement(out, new IteratedBlock.Element(index, elements[at]));
      }
    }
  }

  private static Iteration iteration(Numbers numbers) {
    return new Iteration(numbers, SHOWN, numbers.behind(SHOWN - 1), numbers.count);
  }

  private static ElementCursor pass(Iteration iteration, long offset, long count) {
    return iteration.pass(CallContext.ANONYMOUS, offset, count).orThrow();
  }

  private static String all(ElementCursor passage) {
    XmlBuffer out = new XmlBuffer(64);
    while (passage.hasNext()) {
      passage.write(out, FORM);
    }
    return out.toString();
  }

  @Test
  void aCallReadsWhatItAnswers() {
    Numbers numbers = new Numbers(1_000_000, 0);
    Iteration iteration = iteration(numbers);
    for (long offset = 0; offset < 200; offset += 20) {
      numbers.read = 0;
      assertThat(all(pass(iteration, offset, 20)))
          .startsWith("<_t:iterable-element index=\"" + offset + "\"><e n=\"" + (offset + SHOWN));
      assertThat(numbers.read).as("elements read for 20").isEqualTo(20);
    }
    numbers.read = 0;
    all(pass(iteration, 180, 20));
    assertThat(numbers.read).as("elements read for the same again").isEqualTo(20);
    assertThat(numbers.most).isLessThanOrEqualTo(Limits.DEFAULT_PAGE_ENTRIES);
  }

  @Test
  void shortStretchesMakeOneAnswer() {
    Numbers numbers = new Numbers(500, 0);
    numbers.atOnce = 7;
    Iteration iteration = iteration(numbers);
    for (long offset = 0; offset < 480; offset += 40) {
      String block = all(pass(iteration, offset, 40));
      assertThat(block.split("<e n=", -1)).hasSize(41);
      assertThat(block).contains("<e n=\"" + (offset + SHOWN) + "\"", "<e n=\"" + (offset + SHOWN + 39) + "\"");
    }
    ElementCursor last = pass(iteration, 480, 40);
    assertThat(all(last).split("<e n=", -1)).hasSize(11);
    assertThat(iteration.size()).isEqualTo(490);
  }

  @Test
  void aHundredThousandElementsAreNeverInMemoryTogether() {
    // 100,000 times 16 KiB do not fit into the memory of a test.
    Numbers numbers = new Numbers(100_000, 16_384);
    assertThat((numbers.count - SHOWN) * 16_384).isGreaterThan(Runtime.getRuntime().maxMemory());
    ElementCursor passage = pass(iteration(numbers), 0, Long.MAX_VALUE);
    assertThat(passage.size()).isEqualTo(numbers.count - SHOWN);
    long written = 0;
    XmlBuffer out = new XmlBuffer(64);
    while (passage.hasNext()) {
      passage.write(out, FORM);
      out.truncate(0);
      written++;
    }
    assertThat(written).isEqualTo(numbers.count - SHOWN);
    assertThat(numbers.most).isEqualTo(Limits.DEFAULT_PAGE_ENTRIES);
  }

  @Test
  void aJumpIsBounded() {
    Numbers numbers = new Numbers(1_000_000, 0);
    for (long far : new long[]{Iteration.PASSED_OVER - 1, Iteration.PASSED_OVER}) {
      assertThat(all(pass(iteration(numbers), SHOWN + far, 1))).contains("<e n=\"" + (SHOWN + far) + "\"");
    }
    assertThatThrownBy(() -> pass(iteration(numbers), SHOWN + Iteration.PASSED_OVER + 1L, 1))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.LIMIT_EXCEEDED))
        .hasMessageContaining("100001").hasMessageContaining("100000");
  }

  @Test
  void theSizeIsThatOfTheEndAsSoonAsItIsKnown() {
    Numbers numbers = new Numbers(100, 0);
    // The directory was said to have 80, then 200.
    for (long said : new long[]{80, 200}) {
      Iteration iteration = new Iteration(numbers, SHOWN, numbers.behind(SHOWN - 1), said);
      assertThat(iteration.size()).isEqualTo(said);
      ElementCursor some = pass(iteration, 0, 75);
      assertThat(some.size()).isEqualTo(Math.max(said - SHOWN, 76));
      all(some);
      assertThat(pass(iteration, 75, 75).size()).isEqualTo(90);
      all(pass(iteration, 75, 75));
      assertThat(iteration.size()).isEqualTo(90);
    }
  }

  @Test
  void iteratorsAreFew() {
    IteratorTable table = new IteratorTable(InstantSource.fixed(Instant.EPOCH), 3);
    Numbers numbers = new Numbers(100, 0);
    String first = table.open("a", iteration(numbers));
    String second = table.open("a", iteration(numbers));
    String third = table.open("a", iteration(numbers));
    assertThat(table.find(first)).as("is used").isPresent();
    String fourth = table.open("a", iteration(numbers));
    assertThat(table.size()).isEqualTo(3);
    assertThat(table.find(second)).as("was not used for longest").isEmpty();
    for (String id : new String[]{first, third, fourth}) {
      IterateRequest request = new IterateRequest(Optional.of(id), 0, 5);
      assertThat(all(table.pass(request, CallContext.ANONYMOUS).orThrow())).contains("<e n=\"10\"");
    }
    assertThat(table.end(third)).isTrue();
    assertThat(table.end(third)).isFalse();
    assertThat(table.size()).isEqualTo(2);
  }

  @Test
  void forgottenIteratorsMakeRoom() {
    Instant[] now = {Instant.EPOCH};
    IteratorTable table = new IteratorTable(() -> now[0]);
    for (int i = 0; i < IteratorTable.MOST; i++) {
      table.open("a", iteration(new Numbers(100, 0)));
    }
    assertThat(table.size()).isEqualTo(IteratorTable.MOST);
    table.open("a", iteration(new Numbers(100, 0)));
    assertThat(table.size()).isEqualTo(IteratorTable.MOST);
    now[0] = now[0].plus(IteratorTable.IDLE).plusNanos(1);
    assertThat(table.size()).isZero();
    table.open("a", iteration(new Numbers(100, 0)));
    assertThat(table.size()).isEqualTo(1);
  }

  @Test
  void aCallerWithManyIteratorsLosesItsOwn() {
    IteratorTable table = new IteratorTable(InstantSource.fixed(Instant.EPOCH), 4);
    String others = table.open("b", iteration(new Numbers(100, 0)));
    String first = table.open("a", iteration(new Numbers(100, 0)));
    for (int i = 0; i < 10; i++) {
      table.open("a", iteration(new Numbers(100, 0)));
    }
    assertThat(table.size()).isEqualTo(4);
    assertThat(table.find(first)).isEmpty();
    assertThat(table.find(others)).as("older than all of them").isPresent();
    assertThat(table.end(others)).isTrue();
  }
}
