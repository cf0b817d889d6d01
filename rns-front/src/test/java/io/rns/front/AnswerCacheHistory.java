package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.rns.api.HopStep.Finding;
import io.rns.api.Position;
import io.rns.api.Positions;
import io.rns.front.AnswerCache.Found;
import io.rns.front.GroupsModel.Committed;
import io.rns.front.GroupsModel.Part;
import io.rns.front.message.ServerHead;
import io.rns.front.message.SharedRead;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A random history in virtual time: a tree changes that server groups share, servers that are at different positions
 * answer, also by old maps, changes and answers are on their way for different times, primaries change, content moves.
 */
final class AnswerCacheHistory {
  private static final int STEPS = 4_000;
  private static final int MOST_GROUPS = 3;
  private static final int MOST_ON_THEIR_WAY = 30;
  private static final int READ_AGAIN = 12;
  private static final int CHANGES_BEFORE = 60;

  /** What servers and fronts may do wrong. */
  enum Defect {
    NONE,
    /** Servers do not say what an answer depends on above their group. */
    NOTHING_ABOVE,
    /** Servers name the positions of other groups as of after the lookup. */
    POSITIONS_AFTER,
    /** Servers vouch for what another server has answered. */
    ASKED_OTHERS,
    /** A log has only the new path of a directory that moved. */
    NO_OLD_PATHS,
    /** A log has moved content as any change of the directory. */
    NO_MOVES_OF_CONTENT,
    /** A front that begins anew with a log leaves out what happened meanwhile. */
    CHANGES_LEFT_OUT,
    /** A front takes the time of an answer for that of the question. */
    AGE_FROM_ANSWER
  }

  /** An answer on its way. */
  private record Sent(String path, String on, String position, String content) {}

  /** Changes of a group on their way. */
  private record Report(Position to, List<Committed> changes, long asked, long ageMillis) {}

  private final Defect defect;
  private final Random random;
  private final GroupsModel tree;
  private final List<Sent> sent = new ArrayList<>();
  private final List<String> recent = new ArrayList<>();
  private long now = TimeUnit.HOURS.toNanos(1);
  private AnswerCache cache = new AnswerCache(1 << 20, () -> now);
  private final int[] epochs = {1, 1, 1};
  private final long[] pausedUntil = new long[MOST_GROUPS];
  private final Map<Integer, Report> reports = new HashMap<>();
  private int handedOver;
  private int answered;
  private int answeredBelow;

  AnswerCacheHistory(int seed, Defect defect) {
    this.defect = defect;
    this.random = new Random(seed);
    this.tree = new GroupsModel(random, seed % 10 == 0 ? 1 : 2 + seed % (MOST_GROUPS - 1), now);
    for (int i = 0; i < CHANGES_BEFORE; i++) {
      tree.change(now);
    }
  }

  /** Answers of the cache. */
  int answered() {
    return answered;
  }

  /** Those of them about entries below cuts. */
  int answeredBelow() {
    return answeredBelow;
  }

  /** How often another front has taken answers over. */
  int handedOver() {
    return handedOver;
  }

  /** Fails as soon as an answer of the cache is not what it says. */
  void run() {
    for (int step = 0; step < STEPS; step++) {
      now += random.nextLong(TimeUnit.MILLISECONDS.toNanos(4));
      int group = random.nextInt(tree.groups());
      switch (random.nextInt(20)) {
        case 0 -> tree.change(now);
        case 1, 2, 3, 4 -> {
          String path = tree.anyPath();
          ask(path, random.nextInt(4) == 0 ? group : tree.owner(path));
        }
        case 5, 6, 7 -> arrive();
        case 8, 9, 10, 11, 12 -> follow(group);
        case 13 -> disturb(group);
        default -> read();
      }
    }
  }

  private void disturb(int group) {
    switch (random.nextInt(200)) {
      case 0 -> epochs[group]++;
      case 1, 2 -> {
        if (defect != Defect.CHANGES_LEFT_OUT) {
          cache.stop(group);
        } else if (cache.position(group) != null) {
          cache.advance(position(group, tree.last(group)), 0, now, 0);
        }
        reports.remove(group);
      }
      case 3 -> pausedUntil[group] = now + random.nextLong(2 * AnswerCache.HEARD_NANOS);
      case 4, 5, 6, 7 -> pausedUntil[group] = now + random.nextLong(AnswerCache.HEARD_NANOS / 10);
      case 8, 9 -> handOver();
      default -> {
      }
    }
  }

  /** Another front takes over, which has begun to follow the logs a moment ago, and is not at the same positions. */
  private void handOver() {
    AnswerCache successor = new AnswerCache(1 << 20, () -> now);
    for (int group = 0; group < tree.groups(); group++) {
      if (random.nextInt(20) > 0) {
        successor.begin(position(group, Math.max(0, tree.last(group) - random.nextInt(4))));
      }
    }
    try {
      ByteArrayOutputStream answers = new ByteArrayOutputStream();
      cache.write(new DataOutputStream(answers));
      successor.read(new DataInputStream(new ByteArrayInputStream(answers.toByteArray())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    handedOver += successor.bytes() > 0 ? 1 : 0;
    cache = successor;
    reports.clear();
  }

  private Position position(int group, int sequence) {
    return new Position(group, epochs[group], sequence);
  }

  /** Where servers are that lag a little, each in its own way. */
  private Map<Integer, Integer> somewhere(int most) {
    Map<Integer, Integer> at = new HashMap<>();
    for (int group = 0; group < tree.groups(); group++) {
      at.put(group, Math.max(0, tree.last(group) - random.nextInt(most)));
    }
    return at;
  }

  /** A server of a group answers what it has itself, by a map that is perhaps old. */
  private void ask(String path, int group) {
    Map<Integer, Integer> map = somewhere(random.nextInt(10) == 0 ? 10 : 3);
    int own = Math.max(0, tree.last(group) - random.nextInt(4));
    List<Part> way = tree.parts(path, map).orElse(List.of());
    if (!isOwn(way, path, group)) {
      return;
    }
    Map<Integer, Integer> at = new HashMap<>(defect == Defect.ASKED_OTHERS ? somewhere(10) : map);
    if (defect != Defect.ASKED_OTHERS) {
      at.put(group, own);
    }
    Map<Integer, Integer> named = defect == Defect.POSITIONS_AFTER ? somewhere(1) : map;
    String on =
        Stream.iterate(way.size() - 1, i -> i >= 0, i -> i - 1).filter(
            i -> defect != Defect.NOTHING_ABOVE || i == way.size() - 1)
            .map(i -> {
              Part part = way.get(i);
              Position since = position(part.group(), part.group() == group ? own : named.get(part.group()));
              String end = end(path, way, i);
              return since + "=" + URLEncoder.encode(words(part.start().equals("/") && !end.isEmpty() ? end
                  : part.start() + end), StandardCharsets.UTF_8);
            }).collect(Collectors.joining(" "));
    // It shows what its group reflects of others, which may be later than its map.
    Positions others = Positions.NONE;
    for (Map.Entry<Integer, Integer> each : somewhere(2).entrySet()) {
      others = each.getKey() == group ? others : others.with(position(each.getKey(), each.getValue()));
    }
    String shown = Positions.toText(position(group, own), others);
    tree.content(path, way, at).ifPresent(content -> sent.add(new Sent(path, on, shown, content)));
    if (sent.size() > MOST_ON_THEIR_WAY) {
      sent.remove(random.nextInt(sent.size()));
    }
  }

  /** The names of a path from the beginning of a part to that of the next one. */
  private static String end(String path, List<Part> way, int part) {
    String[] names = path.equals("/") ? new String[0] : path.substring(1).split("/", -1);
    int to = part + 1 < way.size() ? way.get(part + 1).depth() : names.length;
    return Stream.of(names).limit(to).skip(way.get(part).depth()).map(name -> "/" + name).collect(Collectors.joining());
  }

  /** What a group calls a path in its log. */
  private static String words(String path) {
    return path.startsWith("/") ? path : "/" + path;
  }

  private static boolean isOwn(List<Part> way, String path, int group) {
    Set<Integer> groups = new HashSet<>();
    boolean once = way.stream().allMatch(part -> groups.add(part.group()));
    return once && !way.isEmpty() && way.getLast().group() == group
        && (way.size() == 1 || !end(path, way, way.size() - 1).isEmpty());
  }

  private void arrive() {
    if (!sent.isEmpty()) {
      Sent one = sent.remove(random.nextInt(sent.size()));
      cache.keep(new SharedRead(one.path(), "", "", false),
          new ServerHead.Shared(one.on(), one.position(), new byte[0], false),
          one.content().getBytes(StandardCharsets.UTF_8), null);
      recent.add(one.path());
      if (recent.size() > READ_AGAIN) {
        recent.removeFirst();
      }
    }
  }

  private void follow(int group) {
    Position known = cache.position(group);
    if (now < pausedUntil[group]) {
      return;
    }
    Report arrived = reports.remove(group);
    if (known == null) {
      cache.begin(position(group, Math.max(0, tree.last(group) - random.nextInt(3))));
    } else if (arrived != null) {
      take(group, arrived);
    } else {
      int from = (int) known.sequence();
      int to = from + random.nextInt(tree.last(group) - from + 1);
      // A replica that does not have the last changes: it is as old as the first that it lacks.
      long age =
          to == tree.last(group) ? 0 : TimeUnit.NANOSECONDS.toMillis(now - tree.log(group).get(to + 1).at()) + 1;
      reports.put(group,
          new Report(position(group, to), List.copyOf(tree.log(group).subList(from + 1, to + 1)), now,
              random.nextInt(5) == 0 ? -1 : age));
    }
  }

  private void take(int group, Report arrived) {
    long floor = 0;
    for (Committed change : arrived.changes()) {
      String old = defect == Defect.NO_OLD_PATHS ? null : change.old();
      for (String path : Stream.of(change.path(), old).filter(Objects::nonNull).toList()) {
        cache.note(group, words(path), change.sequence());
      }
      floor = change.path() == null && defect != Defect.NO_MOVES_OF_CONTENT ? change.sequence() : floor;
      if (random.nextBoolean()) {
        read();
      }
    }
    long asked = defect == Defect.AGE_FROM_ANSWER ? now : arrived.asked();
    cache.advance(arrived.to(), floor, asked, arrived.ageMillis());
  }

  private void read() {
    String path = recent.isEmpty() || random.nextInt(4) == 0 ? tree.anyPath()
        : recent.get(random.nextInt(recent.size()));
    Positions seen = Positions.NONE;
    if (random.nextBoolean()) {
      for (Map.Entry<Integer, Integer> each : somewhere(3).entrySet()) {
        seen = seen.with(position(each.getKey(), each.getValue()));
      }
    }
    SharedRead read = new SharedRead(path, seen.toString(), "any", false);
    Found found = cache.find(read);
    if (found.finding() != Finding.HELD) {
      return;
    }
    String answer = Objects.requireNonNull(cache.answer(read, false, UnpooledByteBufAllocator.DEFAULT))
        .toString(StandardCharsets.UTF_8);
    String content = answer.substring(answer.indexOf("\r\n\r\n") + 4);
    Map<Integer, Integer> verified = new HashMap<>();
    found.verified().each().forEach(each -> verified.put(each.group(), (int) each.sequence()));
    answered++;
    answeredBelow += verified.size() > 1 ? 1 : 0;
    assertThat(Optional.of(content)).as("%s at %s", path, verified).isEqualTo(tree.content(path, verified));
    Position own = Position.parse(found.position().split(",", 2)[0]);
    assertThat(verified.get(own.group())).as("%s at %s", path, verified).isEqualTo((int) own.sequence());
    for (Position each : seen.each()) {
      assertThat(verified.getOrDefault(each.group(), Integer.MAX_VALUE)).as("%s at %s for %s", path, verified, seen)
          .isGreaterThanOrEqualTo((int) each.sequence());
    }
    long since = now - found.age();
    verified.forEach((group, sequence) -> {
      long acknowledged = tree.log(group).stream().filter(change -> change.at() <= since).count() - 1;
      assertThat((long) sequence).as("%s at %s, age %d ns", path, verified, found.age())
          .isGreaterThanOrEqualTo(acknowledged);
    });
  }
}
