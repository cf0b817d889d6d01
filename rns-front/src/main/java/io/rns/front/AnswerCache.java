package io.rns.front;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rns.api.Consistency;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.error.RnsException;
import io.rns.front.ChangeMarks.Slots;
import io.rns.front.message.ServerHead;
import io.rns.front.message.SharedRead;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers that servers let all anonymous clients have, until the change log says that they may be others now. Nothing
 * is evicted by a change: each answer has its position, and is looked at again, with all changes since, whenever it
 * would be given. So it does not matter whether it comes before or after the changes that it does not show.
 *
 * <p>The order is that of a replica: position before age before answer. {@link ChangeFollower} notes changes before it
 * says that the front is at their position; who gives an answer reads the position first. Thread-safe.
 */
final class AnswerCache {
  /** The longest body that is kept, in bytes. */
  static final int MOST_BYTES = 16_384;

  /** Beyond this without word from a server nothing is answered. */
  static final long HEARD_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Of objects, beside their bytes. */
  private static final int OVERHEAD = 256;

  private static final byte[] POSITION = ascii("RNS-Position: ");
  private static final byte[] AGE = ascii("\r\nRNS-Age: ");

  private final Cache<String, Kept> answers;
  private final LongSupplier nanos;
  private volatile @Nullable View view;

  /**
   * What is known of the log.
   *
   * @param marks the changes since it was begun
   * @param position all changes up to it are noted
   * @param text the position
   * @param floor answers before this sequence are not known to be current
   * @param fresh what was acknowledged by this time is at or before the position
   * @param heard when the front last heard of the log
   */
  private record View(ChangeMarks marks, Position position, String text, long floor, long fresh, long heard) {}

  /**
   * An answer.
   *
   * @param at the position that it shows
   * @param slots of its path
   * @param lines of its head, without position and age
   */
  @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
  private record Kept(Position at, String text, Slots slots, byte[] lines, byte[] body) {
    int weight(String key) {
      return OVERHEAD + 2 * key.length() + 4 * slots.above().length + lines.length + body.length;
    }
  }

  /**
   * An empty cache that answers nothing yet.
   *
   * @param bytes what it may hold
   * @param nanos a clock that only goes forward
   */
  AnswerCache(long bytes, LongSupplier nanos) {
    this.nanos = nanos;
    this.answers =
        Caffeine.newBuilder().maximumWeight(bytes).weigher((String key, Kept kept) -> kept.weight(key))
            .executor(Runnable::run).build();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  // ---- the change log; by one thread

  /** Forgets everything, and answers nothing until it is begun again. */
  void stop() {
    view = null;
    answers.invalidateAll();
  }

  /** Begins at a position: nothing is known of what was before. */
  void begin(Position at) {
    view = new View(new ChangeMarks(), at, at.toString(), at.sequence(), Long.MIN_VALUE, nanos.getAsLong());
  }

  /** Notes a change, before {@link #advance} beyond it. */
  void note(String path, long sequence) {
    begun().marks().note(path, sequence);
  }

  /**
   * All changes up to a position are noted.
   *
   * @param floor no answer before this sequence is given any more
   * @param asked when the front asked for them
   * @param ageMillis all that was acknowledged this long before is at or before the position; negative if not known
   */
  void advance(Position to, long floor, long asked, long ageMillis) {
    View before = begun();
    long fresh =
        ageMillis < 0 ? before.fresh() : Math.max(before.fresh(), asked - TimeUnit.MILLISECONDS.toNanos(ageMillis));
    boolean same = before.position().epoch() == to.epoch();
    view =
        new View(
            before.marks(), to, to.equals(before.position()) ? before.text() : to.toString(),
            same ? Math.max(before.floor(), floor) : to.sequence(), fresh, nanos.getAsLong());
  }

  private View begun() {
    View now = view;
    if (now == null) {
      throw new IllegalStateException("the cache was not begun");
    }
    return now;
  }

  /** Where the front is; null if the cache was not begun. */
  @Nullable
  Position position() {
    View now = view;
    return now == null ? null : now.position();
  }

  /** Whether it is too long ago that the front heard of the log. */
  boolean isLost() {
    View now = view;
    return now != null && nanos.getAsLong() - now.heard() > HEARD_NANOS;
  }

  // ---- answers; by any thread

  /**
   * The answer to a read.
   *
   * @param close whether the connection closes after it
   * @return null if a server has to answer
   */
  @Nullable
  ByteBuf answer(SharedRead read, boolean close) {
    View now = view;
    if (now == null || now.fresh() == Long.MIN_VALUE) {
      return null;
    }
    long time = nanos.getAsLong();
    Kept kept = time - now.heard() > HEARD_NANOS ? null : answers.getIfPresent(read.key());
    if (kept == null) {
      return null;
    }
    boolean current =
        kept.at().epoch() == now.position().epoch() && kept.at().sequence() >= now.floor()
            && now.marks().isCurrent(kept.slots(), kept.at().sequence());
    if (!current) {
      boolean unused = answers.asMap().remove(read.key(), kept);
      return null;
    }
    // It may be newer than what is known of the log.
    boolean newer = kept.at().sequence() > now.position().sequence();
    long age = time - now.fresh();
    return suffices(read, newer ? kept.at() : now.position(), age)
        ? reply(kept, newer ? kept.text() : now.text(), age, close)
        : null;
  }

  private static boolean suffices(SharedRead read, Position shown, long age) {
    try {
      Consistency consistency =
          read.consistency().isEmpty() ? Consistency.SESSION : Consistency.parse(read.consistency());
      boolean fresh = switch (consistency) {
        case Consistency.Any any -> true;
        case Consistency.Bounded bounded -> age <= bounded.age().toNanos();
        // Without a position it sees what its client wrote: at the primary.
        case Consistency.Session session -> !read.position().isEmpty();
        case Consistency.Primary primary -> false;
      };
      return fresh && (read.position().isEmpty() || covers(shown, Positions.parse(read.position())));
    } catch (RnsException e) {
      // The server says what is wrong.
      return false;
    }
  }

  private static boolean covers(Position shown, Positions seen) {
    return seen.cuts().isEmpty() && seen.each().size() == 1 && shown.covers(seen.each().getFirst());
  }

  private static ByteBuf reply(Kept kept, String position, long age, boolean close) {
    // Rounded up: it is at most as old.
    byte[] millis = ascii(Long.toString(TimeUnit.NANOSECONDS.toMillis(age) + 1));
    byte[] shown = ascii(position);
    byte[] end = close ? ClientLink.CLOSE_AND_END : ClientLink.END;
    ByteBuf reply =
        Unpooled.buffer(
            kept.lines().length + POSITION.length + shown.length + AGE.length + millis.length + 2 + end.length
                + kept.body().length);
    return reply.writeBytes(kept.lines()).writeBytes(POSITION).writeBytes(shown).writeBytes(AGE).writeBytes(millis)
        .writeBytes(ClientLink.END).writeBytes(end).writeBytes(kept.body());
  }

  /** Keeps an answer of a server. */
  void keep(SharedRead read, ServerHead.Shared head, byte[] body) {
    View now = view;
    if (now == null) {
      return;
    }
    try {
      Position at = Position.parse(head.position());
      String path = URLDecoder.decode(head.path(), StandardCharsets.UTF_8);
      if (path.startsWith("/") && at.group() == now.position().group() && at.epoch() == now.position().epoch()
          && at.sequence() >= now.floor()) {
        answers.put(read.key(), new Kept(at, head.position(), Slots.of(path), head.lines(), body));
      }
    } catch (RnsException | IllegalArgumentException e) {
      // Of a later version: not kept.
    }
  }

  /** What it holds, in bytes. */
  long bytes() {
    return answers.policy().eviction().orElseThrow().weightedSize().orElse(0);
  }
}
