package io.rns.front;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.rns.api.Consistency;
import io.rns.api.HopStep.Finding;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.error.RnsException;
import io.rns.front.KeptAnswer.Dependence;
import io.rns.front.message.RefusedMessage;
import io.rns.front.message.ServerHead;
import io.rns.front.message.SharedRead;
import io.rns.wire.MessageHeaders;
import io.rns.wire.Namespaces;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers that servers let all anonymous clients have, until a change log says that they may be others now. Nothing is
 * evicted by a change: each answer has its positions, and is looked at again, with all changes since, whenever it would
 * be given. So it does not matter whether it comes before or after the changes that it does not show.
 *
 * <p>Each server group has a log. An answer depends on the group that has the entry and on those that own a directory
 * on its path, and holds as long as it does by each of them: a part of the path comes to another group only by a change
 * of one of them.
 *
 * <p>The order is that of a replica: position before age before answer. {@link ChangeFollower} notes changes before it
 * says that the front is at their position; who gives an answer reads the positions first. Thread-safe.
 */
final class AnswerCache {
  /** The longest body that is kept, in bytes. */
  static final int MOST_BYTES = 131_072;

  /** Beyond this without word from a server nothing is answered. */
  static final long HEARD_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final String POSITION = start("Position");
  private static final String POSITION_END = "</_x:Position>";
  private static final String AGE = start("Age");
  private static final String AGE_END = "</_x:Age>";

  private final Cache<String, KeptAnswer> answers;
  private final long mostArriving;
  private final AtomicLong arriving = new AtomicLong();
  private final LongSupplier nanos;
  /** What is known of the log of each group. */
  private final Map<Integer, View> views = new ConcurrentHashMap<>();

  /**
   * What is known of a log.
   *
   * @param marks the changes since it was begun
   * @param position all changes up to it are noted
   * @param text the position
   * @param floor answers before this sequence are not known to be current
   * @param fresh what was acknowledged by this time is at or before the position
   * @param heard when the front last heard of the log
   */
  private record View(ChangeMarks marks, Position position, String text, long floor, long fresh, long heard) {
    boolean hasNoted(Position at) {
      return position.epoch() == at.epoch() && at.sequence() >= floor;
    }

    boolean isCurrent(Dependence on) {
      return hasNoted(on.at()) && marks.isCurrent(on.slots(), on.at().sequence());
    }
  }

  /**
   * What there is for a read.
   *
   * @param kept the answer; null unless it may be given
   * @param position that it shows then
   * @param verified up to which positions of the groups that it depends on nothing has changed it
   * @param age in nanoseconds
   */
  record Found(Finding finding, @Nullable KeptAnswer kept, String position, Positions verified, long age) {
    static Found nothing(Finding why) {
      return new Found(why, null, "", Positions.NONE, 0);
    }
  }

  /**
   * An empty cache that answers nothing yet.
   *
   * @param bytes what it may hold; a quarter as much again of answers that have not arrived completely
   * @param nanos a clock that only goes forward
   */
  AnswerCache(long bytes, LongSupplier nanos) {
    this.nanos = nanos;
    this.mostArriving = bytes / 4;
    this.answers =
        Caffeine.newBuilder().maximumWeight(bytes).weigher((String key, KeptAnswer kept) -> kept.weight(key))
            .executor(Runnable::run).build();
  }

  /** How servers write a header. */
  private static String start(String name) {
    return "<_x:" + name + " xmlns:_x=\"" + Namespaces.EXT + "\">";
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  // ---- the change logs; each by one thread

  /** Gives nothing that depends on a group until its log is begun again. */
  void stop(int group) {
    View unused = views.remove(group);
    if (views.isEmpty()) {
      answers.invalidateAll();
    }
  }

  /** Begins at a position of a group: nothing is known of what was before. */
  void begin(Position at) {
    views.put(at.group(),
        new View(new ChangeMarks(), at, at.toString(), at.sequence(), Long.MIN_VALUE, nanos.getAsLong()));
  }

  /** Notes a change of a group, before {@link #advance} beyond it. */
  void note(int group, String path, long sequence) {
    begun(group).marks().note(path, sequence);
  }

  /**
   * All changes of a group up to a position are noted.
   *
   * @param floor no answer before this sequence is given any more
   * @param asked when the front asked for them
   * @param ageMillis all that was acknowledged this long before is at or before the position; negative if not known
   */
  void advance(Position to, long floor, long asked, long ageMillis) {
    View before = begun(to.group());
    long fresh =
        ageMillis < 0 ? before.fresh() : Math.max(before.fresh(), asked - TimeUnit.MILLISECONDS.toNanos(ageMillis));
    boolean same = before.position().epoch() == to.epoch();
    views.put(
        to.group(),
        new View(
            before.marks(), to, to.equals(before.position()) ? before.text() : to.toString(),
            same ? Math.max(before.floor(), floor) : to.sequence(), fresh, nanos.getAsLong()));
  }

  private View begun(int group) {
    View now = views.get(group);
    if (now == null) {
      throw new IllegalStateException("the log of server group " + group + " was not begun");
    }
    return now;
  }

  /** Where the front is in the log of a group; null if that was not begun. */
  @Nullable
  Position position(int group) {
    View now = views.get(group);
    return now == null ? null : now.position();
  }

  /** Where the front is in all logs that were begun. */
  Positions positions() {
    return views.values().stream().map(View::position).reduce(Positions.NONE, Positions::with, Positions::with);
  }

  /** Whether it is too long ago that the front heard of the log of a group. */
  boolean isLost(int group) {
    View now = views.get(group);
    return now != null && isLost(now, nanos.getAsLong());
  }

  private static boolean isLost(View view, long time) {
    return time - view.heard() > HEARD_NANOS;
  }

  // ---- answers; by any thread

  /**
   * The answer to a read.
   *
   * @param close whether the connection closes after it
   * @return null if a server has to answer
   */
  @Nullable
  ByteBuf answer(SharedRead read, boolean close, ByteBufAllocator buffers) {
    Found found = find(read);
    KeptAnswer kept = found.kept();
    return kept == null ? null : reply(kept, found.position(), found.age(), close, buffers);
  }

  /** What it has for a read, for people. */
  Finding finding(SharedRead read) {
    return find(read).finding();
  }

  /** What it has for a read, with the positions and the age for which it vouches. */
  Found find(SharedRead read) {
    KeptAnswer kept = answers.getIfPresent(read.key());
    if (kept == null) {
      return Found.nothing(views.isEmpty() ? Finding.UNKNOWN : Finding.ABSENT);
    }
    // First all positions, then the age, then the answer.
    List<View> logs = new ArrayList<>(kept.on().size());
    Positions verified = Positions.NONE;
    for (Dependence each : kept.on()) {
      View log = views.get(each.at().group());
      if (log == null || log.fresh() == Long.MIN_VALUE) {
        return Found.nothing(Finding.UNKNOWN);
      }
      logs.add(log);
      // It may be newer than what is known of the log.
      verified = verified.with(each.at()).with(log.position());
    }
    long time = nanos.getAsLong();
    long age = 0;
    for (int i = 0; i < logs.size(); i++) {
      View log = logs.get(i);
      if (isLost(log, time)) {
        return Found.nothing(Finding.UNKNOWN);
      }
      if (!log.isCurrent(kept.on().get(i))) {
        boolean unused = answers.asMap().remove(read.key(), kept);
        return Found.nothing(Finding.CHANGED);
      }
      age = Math.max(age, time - log.fresh());
    }
    View own = logs.getFirst();
    String shown = own.position().sequence() > kept.on().getFirst().at().sequence() ? own.text() : kept.own();
    return suffices(read, kept.consistency(), verified, age)
        ? new Found(Finding.HELD, kept, shown + kept.others(), verified, age)
        : Found.nothing(Finding.AGE);
  }

  private static boolean suffices(SharedRead read, @Nullable Consistency said, Positions verified, long age) {
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
      return fresh && (read.position().isEmpty() || covers(verified, Positions.parse(read.position()).each()));
    } catch (RnsException e) {
      // The server says what is wrong.
      return false;
    }
  }

  /** Whether an answer has what a session has seen of the groups that it depends on. */
  private static boolean covers(Positions verified, List<Position> seen) {
    return !seen.isEmpty()
        && seen.stream().allMatch(each -> verified.of(each.group()).isEmpty() || verified.covers(each));
  }

  private static ByteBuf reply(KeptAnswer kept, String position, long age, boolean close, ByteBufAllocator buffers) {
    // Rounded up: it is at most as old.
    String millis = Long.toString(TimeUnit.NANOSECONDS.toMillis(age) + 1);
    byte[] end = close ? ClientLink.CLOSE_AND_END : ClientLink.END;
    boolean message = kept.consistency() != null;
    byte[] inside = ascii(message ? POSITION + position + POSITION_END + AGE + millis + AGE_END : "");
    int length = kept.body().length + inside.length + kept.rest().length;
    byte[] moment =
        ascii(
            (message ? "" : "RNS-Position: " + position + "\r\nRNS-Age: " + millis + "\r\n") + "Content-Length: "
                + length + "\r\n");
    return buffers.buffer(kept.lines().length + moment.length + end.length + length)
        .writeBytes(kept.lines()).writeBytes(moment).writeBytes(end).writeBytes(kept.body()).writeBytes(inside)
        .writeBytes(kept.rest());
  }

  /** Takes memory for a piece of an answer that arrives, until {@link #arrived}. Whether there is as much. */
  boolean arrives(int bytes) {
    boolean fits = arriving.addAndGet(bytes) <= mostArriving;
    if (!fits) {
      arriving.addAndGet(-bytes);
    }
    return fits;
  }

  /** Gives back the memory of an answer that has arrived, or will not. */
  void arrived(int bytes) {
    arriving.addAndGet(-bytes);
  }

  /** What answers hold that have not arrived completely, in bytes. */
  long arriving() {
    return arriving.get();
  }

  /**
   * Keeps an answer of a server.
   *
   * @param body as it came
   * @param headers of the message that it answers; null for another read
   */
  void keep(SharedRead read, ServerHead.Shared head, byte[] body, @Nullable MessageHeaders headers) {
    if (read.message() && (headers == null || !isOf(read, headers))) {
      return;
    }
    try {
      byte[] content = head.content(body);
      KeptAnswer kept =
          headers == null
              ? kept(head, head.position(), null, content, new byte[0])
              : message(head, content, headers.consistency());
      keep(read.key(), kept);
    } catch (RnsException | RefusedMessage | IllegalArgumentException e) {
      // Of another version: not kept.
    }
  }

  private void keep(String key, KeptAnswer kept) {
    boolean followed = kept.on().stream().allMatch(each -> {
      View log = views.get(each.at().group());
      return log != null && log.hasNoted(each.at());
    });
    if (followed) {
      answers.put(key, kept);
    }
  }

  /**
   * An answer.
   *
   * @param position that it shows, of the group that has the entry first
   * @throws IllegalArgumentException if it depends on another one
   */
  private static KeptAnswer kept(
      ServerHead.Shared head, String position, @Nullable Consistency consistency, byte[] body, byte[] rest) {
    List<Dependence> on = Arrays.stream(head.on().split(" ", -1)).map(Dependence::parse).toList();
    int end = position.indexOf(',');
    String own = end < 0 ? position : position.substring(0, end);
    if (!Position.parse(own).equals(on.getFirst().at())) {
      throw new IllegalArgumentException("an answer of " + own + " that depends on " + head.on());
    }
    return new KeptAnswer(on, own, position.substring(own.length()), consistency, head.lines(), body, rest);
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
  private static KeptAnswer message(ServerHead.Shared head, byte[] body, Consistency consistency) {
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
    return kept(
        head, position, consistency, Arrays.copyOf(body, start), Arrays.copyOfRange(body, rest, body.length));
  }

  // ---- another front takes over

  /** Writes all answers that are current, each as of the positions up to which that is known. */
  void write(DataOutputStream out) throws IOException {
    for (Map.Entry<String, KeptAnswer> each : answers.asMap().entrySet()) {
      KeptAnswer current = current(each.getValue());
      if (current != null) {
        out.writeBoolean(true);
        Buffers.write(out, each.getKey().getBytes(StandardCharsets.UTF_8));
        current.write(out);
      }
    }
    out.writeBoolean(false);
  }

  private @Nullable KeptAnswer current(KeptAnswer kept) {
    List<Position> until = new ArrayList<>(kept.on().size());
    long time = nanos.getAsLong();
    for (Dependence each : kept.on()) {
      View log = views.get(each.at().group());
      if (log == null || isLost(log, time) || !log.isCurrent(each)) {
        return null;
      }
      until.add(log.position());
    }
    return kept.since(until);
  }

  /** Keeps what another front has written, but for answers from before this one began to follow the logs. */
  void read(DataInputStream in) throws IOException {
    while (in.readBoolean()) {
      String key = new String(Buffers.read(in), StandardCharsets.UTF_8);
      keep(key, KeptAnswer.read(in));
    }
  }

  /** What it holds, in bytes. */
  long bytes() {
    return answers.policy().eviction().orElseThrow().weightedSize().orElse(0);
  }
}
