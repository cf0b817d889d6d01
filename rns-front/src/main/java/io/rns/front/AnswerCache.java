package io.rns.front;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.rns.api.Consistency;
import io.rns.api.HopStep.Finding;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.error.RnsException;
import io.rns.front.ChangeMarks.Slots;
import io.rns.front.message.ServerHead;
import io.rns.front.message.SharedRead;
import io.rns.wire.MessageHeaders;
import io.rns.wire.Namespaces;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

  private static final String POSITION = start("Position");
  private static final String POSITION_END = "</_x:Position>";
  private static final String AGE = start("Age");
  private static final String AGE_END = "</_x:Age>";

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
   * @param consistency of all messages that ask for it; null for another read, which says it itself
   * @param lines of its head, without position and age
   * @param body up to them, if it has them
   * @param rest of the body
   */
  @SuppressWarnings("ArrayRecordComponent") // never changed, never compared
  private record Kept(
      Position at, String text, Slots slots, @Nullable Consistency consistency, byte[] lines, byte[] body,
      byte[] rest) {
    int weight(String key) {
      return OVERHEAD + 2 * key.length() + 4 * slots.above().length + lines.length + body.length + rest.length;
    }
  }

  /**
   * What there is for a read.
   *
   * @param kept the answer; null unless it may be given
   * @param position that it has then
   * @param age in nanoseconds
   */
  private record Found(Finding finding, @Nullable Kept kept, String position, long age) {
    static Found nothing(Finding why) {
      return new Found(why, null, "", 0);
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

  /** How servers write a header. */
  private static String start(String name) {
    return "<_x:" + name + " xmlns:_x=\"" + Namespaces.EXT + "\">";
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
    Found found = find(read);
    Kept kept = found.kept();
    return kept == null ? null : reply(kept, found.position(), found.age(), close);
  }

  /** What it has for a read, for people. */
  Finding finding(SharedRead read) {
    return find(read).finding();
  }

  private Found find(SharedRead read) {
    View now = view;
    long time = nanos.getAsLong();
    if (now == null || now.fresh() == Long.MIN_VALUE || time - now.heard() > HEARD_NANOS) {
      return Found.nothing(Finding.UNKNOWN);
    }
    Kept kept = answers.getIfPresent(read.key());
    if (kept == null) {
      return Found.nothing(Finding.ABSENT);
    }
    boolean current =
        kept.at().epoch() == now.position().epoch() && kept.at().sequence() >= now.floor()
            && now.marks().isCurrent(kept.slots(), kept.at().sequence());
    if (!current) {
      boolean unused = answers.asMap().remove(read.key(), kept);
      return Found.nothing(Finding.CHANGED);
    }
    // It may be newer than what is known of the log.
    boolean newer = kept.at().sequence() > now.position().sequence();
    long age = time - now.fresh();
    return suffices(read, kept.consistency(), newer ? kept.at() : now.position(), age)
        ? new Found(Finding.HELD, kept, newer ? kept.text() : now.text(), age)
        : Found.nothing(Finding.AGE);
  }

  private static boolean suffices(SharedRead read, @Nullable Consistency said, Position shown, long age) {
    try {
      Consistency consistency =
          said != null ? said
              : read.consistency().isEmpty() ? Consistency.SESSION : Consistency.parse(read.consistency());
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
    String millis = Long.toString(TimeUnit.NANOSECONDS.toMillis(age) + 1);
    byte[] end = close ? ClientLink.CLOSE_AND_END : ClientLink.END;
    byte[] moment;
    byte[] inside = {};
    if (kept.consistency() == null) {
      moment = ascii("RNS-Position: " + position + "\r\nRNS-Age: " + millis + "\r\n");
    } else {
      inside = ascii(POSITION + position + POSITION_END + AGE + millis + AGE_END);
      moment = ascii("Content-Length: " + (kept.body().length + inside.length + kept.rest().length) + "\r\n");
    }
    return Unpooled
        .buffer(
            kept.lines().length + moment.length + end.length + kept.body().length + inside.length + kept.rest().length)
        .writeBytes(kept.lines()).writeBytes(moment).writeBytes(end).writeBytes(kept.body()).writeBytes(inside)
        .writeBytes(kept.rest());
  }

  /**
   * Keeps an answer of a server.
   *
   * @param headers of the message that it answers; null for another read
   */
  void keep(SharedRead read, ServerHead.Shared head, byte[] body, @Nullable MessageHeaders headers) {
    View now = view;
    if (now == null || (read.message() && (headers == null || !isOf(read, headers)))) {
      return;
    }
    try {
      String path = URLDecoder.decode(head.path(), StandardCharsets.UTF_8);
      Kept kept =
          headers == null
              ? new Kept(Position.parse(head.position()), head.position(), Slots.of(path), null, head.lines(),
                  body, new byte[0])
              : message(path, head, body, headers.consistency());
      if (path.startsWith("/") && kept.at().group() == now.position().group()
          && kept.at().epoch() == now.position().epoch() && kept.at().sequence() >= now.floor()) {
        answers.put(read.key(), kept);
      }
    } catch (RnsException | IllegalArgumentException e) {
      // Of a later version: not kept.
    }
  }

  /** Whether a message has the position that was found in it. */
  private static boolean isOf(SharedRead read, MessageHeaders headers) {
    return headers.seen().toString().equals(read.position());
  }

  /**
   * An answer with its position, and perhaps its age, in its first headers.
   *
   * @throws IllegalArgumentException if it does not have them
   */
  private static Kept message(String path, ServerHead.Shared head, byte[] body, Consistency consistency) {
    String text = new String(body, StandardCharsets.ISO_8859_1);
    int start = text.indexOf(POSITION);
    int end = text.indexOf(POSITION_END, start);
    if (start < 0 || end < 0 || !head.position().isEmpty()) {
      throw new IllegalArgumentException("an answer without position");
    }
    String position = text.substring(start + POSITION.length(), end);
    int rest = end + POSITION_END.length();
    if (text.startsWith(AGE, rest)) {
      rest = text.indexOf(AGE_END, rest) + AGE_END.length();
    }
    return new Kept(Position.parse(position), position, Slots.of(path), consistency, head.lines(),
        Arrays.copyOf(body, start), Arrays.copyOfRange(body, rest, body.length));
  }

  /** What it holds, in bytes. */
  long bytes() {
    return answers.policy().eviction().orElseThrow().weightedSize().orElse(0);
  }
}
