package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RnsPath;
import io.rns.api.SubtreeRequest.Order;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TreeWalkTest {
  private final NameService model = new ModelNameService();

  /** Adds junctions, and a directory for every path that ends in {@code /}. */
  private void add(String... paths) {
    List<NewEntry> entries = new ArrayList<>();
    for (String path : paths) {
      entries.add(
          path.endsWith("/")
              ? NewEntry.directory(Target.of(path.substring(0, path.length() - 1)))
              : NewEntry.junction(Target.of(path), EndpointReference.ofAddress("urn:x")));
    }
    model.add(CallContext.ANONYMOUS, new AddRequest(entries, true, false)).value()
        .forEach(outcome -> outcome.orThrow());
  }

  private static List<String> lines(TreeWalk.Settings settings) {
    List<String> lines = new ArrayList<>();
    try (TreeWalk walk = settings.open()) {
      walk.forEachRemaining(
          visit -> lines.add(visit.path() + (visit.entry() instanceof Entry.VirtualDirectory ? "/" : "")));
    }
    return lines;
  }

  private TreeWalk.Settings from(String path) {
    return TreeWalk.of(model, Target.of(path));
  }

  @Test
  void aDirectoryComesBeforeItsEntries() {
    add("/b/x", "/b/y/z", "/a", "/c/");
    assertThat(lines(from("/"))).containsExactly("/a", "/b/", "/b/x", "/b/y/", "/b/y/z", "/c/");
    assertThat(lines(from("/b"))).containsExactly("/b/x", "/b/y/", "/b/y/z");
    assertThat(lines(from("/c"))).isEmpty();
  }

  @Test
  void lineOrderIsThatOfSortedLines() {
    add("/a/x", "/a-b", "/a.b/y", "/a0", "/a-b-c/z", "/a b", "/b/", "/a!/q/r", "/a!b/s");
    List<String> lines = lines(from("/").order(Order.LINES).pagesOf(1));
    assertThat(lines).isSorted().hasSize(15).contains("/a/x", "/a-b");
    assertThat(lines.indexOf("/a-b")).isLessThan(lines.indexOf("/a/"));
  }

  @Test
  void randomTreesAreWalkedInOrderWhateverThePages() {
    Random random = new Random(7);
    for (int round = 0; round < 20; round++) {
      String top = "/t" + round;
      add(top + "/");
      for (int i = 0; i < 60; i++) {
        StringBuilder path = new StringBuilder(top);
        for (int depth = 1 + random.nextInt(5); depth > 0; depth--) {
          path.append('/').append("ab-!0é".charAt(random.nextInt(6))).append(random.nextBoolean() ? "" : "-");
        }
        NewEntry entry = NewEntry.directory(Target.of(path.toString()));
        model.add(CallContext.ANONYMOUS, AddRequest.of(entry).withParents());
      }
      List<String> byName = lines(from(top).pagesOf(1 + random.nextInt(4)));
      List<RnsPath> paths = byName.stream().map(line -> RnsPath.parse(line.substring(0, line.length() - 1))).toList();
      assertThat(paths).isSorted().doesNotHaveDuplicates();
      List<String> byLine = lines(from(top).pagesOf(1 + random.nextInt(4)).order(Order.LINES));
      assertThat(byLine).isSorted().containsExactlyInAnyOrderElementsOf(byName);
    }
  }

  @Test
  void visitsTellDepthAndLast() {
    add("/d/a/x", "/d/a/y", "/d/b");
    List<String> visits = new ArrayList<>();
    try (TreeWalk walk = from("/d").pagesOf(1).open()) {
      walk.forEachRemaining(visit -> visits.add(visit.depth() + " " + visit.path().name() + " " + visit.last()));
      assertThatThrownBy(walk::next).isInstanceOf(NoSuchElementException.class);
    }
    assertThat(visits).containsExactly("1 a false", "2 x false", "2 y true", "1 b true");
  }

  @Test
  void depthIsBounded() {
    add("/a/b/c/d");
    assertThat(lines(from("/").depth(1))).containsExactly("/a/");
    assertThat(lines(from("/").depth(3))).containsExactly("/a/", "/a/b/", "/a/b/c/");
    assertThatThrownBy(() -> from("/").depth(0)).hasMessage("depth 0 is below 1");
  }

  @Test
  void onlyWhatIsNeededIsListed() {
    for (int i = 0; i < 40; i++) {
      add("/d" + i + "/x/");
    }
    AtomicInteger listed = new AtomicInteger();
    NameService counting = new Interposed(model, request -> listed.incrementAndGet());
    assertThat(lines(TreeWalk.of(counting, Target.ROOT).depth(1))).hasSize(40);
    assertThat(listed).hasValue(1);
    listed.set(0);
    assertThat(lines(TreeWalk.of(counting, Target.ROOT))).hasSize(80);
    assertThat(listed).hasValue(81);
    listed.set(0);
    try (TreeWalk walk = TreeWalk.of(counting, Target.ROOT).open()) {
      assertThat(walk.next().path()).hasToString("/d0");
    }
    assertThat(listed.get()).as("a few ahead").isLessThanOrEqualTo(PageFetcher.MOST_AHEAD);
  }

  @Test
  void theStartMustBeADirectory() {
    add("/j");
    assertThatThrownBy(() -> lines(from("/none"))).hasMessage("no such entry: /none");
    assertThatThrownBy(() -> lines(from("/j"))).hasMessage("not a directory: /j");
  }

  private static boolean isOfRoot(Object request) {
    return ((ListRequest) request).directory().equals(Target.ROOT);
  }

  @Test
  void aDirectoryThatIsGoneMeanwhileIsEmpty() {
    add("/a/x", "/b/y");
    NameService removing =
        new Interposed(
            model,
            request -> {
              if (isOfRoot(request)) {
                return;
              }
              model.remove(CallContext.ANONYMOUS, RemoveRequest.of(Removal.recursive(Target.of("/b"))));
            });
    assertThat(lines(TreeWalk.of(removing, Target.ROOT))).containsExactly("/a/", "/a/x", "/b/");
  }

  @Test
  void anErrorEndsTheWalk() {
    add("/a/x");
    NameService failing =
        new Interposed(
            model,
            request -> {
              if (!isOfRoot(request)) {
                throw new RnsException(RnsError.UNAVAILABLE, "gone");
              }
            });
    try (TreeWalk walk = TreeWalk.of(failing, Target.ROOT).open()) {
      assertThat(walk.next().path()).hasToString("/a");
      assertThatThrownBy(walk::hasNext)
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE))
          .hasMessage("gone");
    }
  }

  @Test
  void theDeadlineEndsTheWalk() {
    add("/a/x", "/b/y");
    ManualTicker ticker = new ManualTicker();
    try (TreeWalk walk = from("/").deadline(Duration.ofSeconds(3)).ticker(ticker).open()) {
      assertThat(walk.next().path()).hasToString("/a");
      assertThat(walk.isCutOff()).isFalse();
      ticker.pass(Duration.ofSeconds(3).toNanos());
      assertThat(walk.isCutOff()).isTrue();
      assertThatThrownBy(walk::next)
          .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.TIMEOUT))
          .hasMessage("the walk of / was cut off by its deadline of 3 s after 1 entries");
    }
  }

  @Test
  void aListingThatHangsIsCutOffToo() {
    add("/a/x");
    CountDownLatch over = new CountDownLatch(1);
    NameService hanging =
        new Interposed(
            model,
            request -> {
              if (!isOfRoot(request)) {
                waitFor(over);
              }
            });
    try (TreeWalk walk = TreeWalk.of(hanging, Target.ROOT).deadline(Duration.ofMillis(100)).open()) {
      assertThat(walk.next().path()).hasToString("/a");
      assertThatThrownBy(walk::next).hasMessage("the walk of / was cut off by its deadline of 100 ms");
    } finally {
      over.countDown();
    }
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
