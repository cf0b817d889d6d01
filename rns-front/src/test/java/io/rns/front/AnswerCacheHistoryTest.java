package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.rns.api.Position;
import io.rns.front.message.ServerHead;
import io.rns.front.message.SharedRead;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories in virtual time: a tree changes, servers that are at different positions answer, changes and answers
 * are on their way for different times, primaries change. Whatever the cache answers is exactly what the tree was at
 * the position that it names, and has all that was there as long ago as the age that it names.
 */
class AnswerCacheHistoryTest {
  private static final int STEPS = 4_000;
  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final List<String> PATHS =
      Stream.of(Stream.of("/"), NAMES.stream().map(name -> "/" + name),
          NAMES.stream().flatMap(a -> NAMES.stream().map(b -> "/" + a + "/" + b)),
          NAMES.stream()
              .flatMap(a -> NAMES.stream().flatMap(b -> NAMES.stream().map(c -> "/" + a + "/" + b + "/" + c))))
          .flatMap(each -> each).toList();
  private static final Pattern HEAD = Pattern.compile("(?s)RNS-Position: (\\S+)\r\nRNS-Age: (\\d+)\r\n\r\n(.*)");

  /**
   * A committed change.
   *
   * @param tree version of each entry, after it
   */
  private record Committed(int sequence, long at, String path, @Nullable String old,
      NavigableMap<String, Integer> tree) {}

  /** An answer on its way. */
  private record Sent(String path, String position, String content) {}

  /** Changes on their way. */
  private record Report(Position to, List<Committed> changes, long asked, long ageMillis) {}

  private final List<Committed> log = new ArrayList<>();
  private final List<Sent> sent = new ArrayList<>();
  private long now = TimeUnit.HOURS.toNanos(1);
  private final AnswerCache cache = new AnswerCache(1 << 20, () -> now);
  private int epoch = 1;
  private int versions;
  private int answered;
  private @Nullable Report report;

  static Stream<Integer> seeds() {
    return Stream.iterate(1, seed -> seed + 1).limit(60);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsAnsweredIsTheTreeOfThatPosition(int seed) {
    Random random = new Random(seed);
    log.add(new Committed(0, now, "/", null, new TreeMap<>(Map.of("/", 0))));
    for (int step = 0; step < STEPS; step++) {
      now += random.nextLong(TimeUnit.MILLISECONDS.toNanos(4));
      switch (random.nextInt(10)) {
        case 0, 1 -> change(random);
        case 2, 3 -> ask(random);
        case 4 -> arrive(random);
        case 5 -> follow(random);
        case 6 -> {
          if (random.nextInt(200) == 0) {
            epoch++;
          }
          if (random.nextInt(100) == 0) {
            cache.stop();
            report = null;
          }
        }
        default -> read(random);
      }
    }
    assertThat(answered).isGreaterThan(20);
  }

  private static <T> T any(Random random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(1, path.lastIndexOf('/')));
  }

  private static boolean isIn(String path, String directory) {
    return path.equals(directory) || path.startsWith(directory + "/");
  }

  private void change(Random random) {
    NavigableMap<String, Integer> tree = new TreeMap<>(log.getLast().tree());
    String path = any(random, PATHS);
    String old = null;
    if (tree.containsKey(path) && !path.equals("/") && random.nextInt(3) == 0) {
      tree.keySet().removeIf(each -> isIn(each, path));
    } else if (tree.containsKey(path)) {
      tree.put(path, ++versions);
    } else if (!tree.containsKey(parent(path))) {
      return;
    } else {
      String from = any(random, PATHS);
      boolean moves = random.nextBoolean() && tree.containsKey(from) && !from.equals("/") && !isIn(path, from);
      if (moves) {
        old = from;
        NavigableMap<String, Integer> moved = new TreeMap<>();
        tree.forEach((each, version) -> {
          if (isIn(each, from)) {
            moved.put(path + each.substring(from.length()), version);
          }
        });
        tree.keySet().removeIf(each -> isIn(each, from));
        tree.putAll(moved);
      } else {
        tree.put(path, ++versions);
      }
    }
    log.add(new Committed(log.size(), now, path, old, tree));
  }

  /** What a server answers: of the entry, of all above, whose rules count, and how many entries are in it. */
  private static @Nullable String content(String path, NavigableMap<String, Integer> tree) {
    if (!tree.containsKey(path)) {
      return null;
    }
    long inside = tree.keySet().stream().filter(each -> !each.equals("/") && parent(each).equals(path)).count();
    return tree.entrySet().stream().filter(each -> each.getKey().equals("/") || isIn(path, each.getKey()))
        .map(Object::toString).collect(Collectors.joining(" ")) + " " + inside;
  }

  private Position position(int sequence) {
    return new Position(0, epoch, sequence);
  }

  private void ask(Random random) {
    String path = any(random, PATHS);
    int at = Math.max(0, log.size() - 1 - random.nextInt(4));
    String content = content(path, log.get(at).tree());
    if (content != null) {
      sent.add(new Sent(path, position(at).toString(), content));
    }
  }

  private void arrive(Random random) {
    if (!sent.isEmpty()) {
      Sent one = sent.remove(random.nextInt(sent.size()));
      cache.keep(new SharedRead(one.path(), "", "", false),
          new ServerHead.Shared(URLEncoder.encode(one.path(), StandardCharsets.UTF_8), one.position(), new byte[0]),
          one.content().getBytes(StandardCharsets.UTF_8), null);
    }
  }

  private void follow(Random random) {
    Report arrived = report;
    Position known = cache.position();
    if (known == null) {
      cache.begin(position(Math.max(0, log.size() - 1 - random.nextInt(3))));
    } else if (arrived != null) {
      for (Committed change : arrived.changes()) {
        long sequence = change.sequence();
        cache.note(change.path(), sequence);
        if (change.old() != null) {
          cache.note(change.old(), sequence);
        }
        if (random.nextBoolean()) {
          read(random);
        }
      }
      cache.advance(arrived.to(), 0, arrived.asked(), arrived.ageMillis());
      report = null;
    } else {
      int from = (int) known.sequence();
      int to = from + random.nextInt(log.size() - from);
      // A replica that does not have the last changes: it is as old as the first that it lacks.
      long age = to == log.size() - 1 ? 0 : TimeUnit.NANOSECONDS.toMillis(now - log.get(to + 1).at()) + 1;
      report =
          new Report(position(to), List.copyOf(log.subList(from + 1, to + 1)), now, random.nextInt(5) == 0 ? -1 : age);
    }
  }

  private void read(Random random) {
    String path = any(random, PATHS);
    ByteBuf answer = cache.answer(new SharedRead(path, "", "any", false), false);
    if (answer == null) {
      return;
    }
    answered++;
    Matcher matcher = HEAD.matcher(answer.toString(StandardCharsets.UTF_8));
    assertThat(matcher.matches()).isTrue();
    int shown = (int) Position.parse(matcher.group(1)).sequence();
    assertThat(matcher.group(3)).as(path + " at " + shown).isEqualTo(content(path, log.get(shown).tree()));
    long since = now - TimeUnit.MILLISECONDS.toNanos(Long.parseLong(matcher.group(2)));
    long acknowledged = log.stream().filter(change -> change.at() <= since).count() - 1;
    assertThat((long) shown).isGreaterThanOrEqualTo(acknowledged);
  }
}
