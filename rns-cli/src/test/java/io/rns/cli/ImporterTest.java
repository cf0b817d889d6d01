package io.rns.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.ListRequest;
import io.rns.api.ModelNameService;
import io.rns.api.NameService;
import io.rns.api.Page;
import io.rns.api.Target;
import io.rns.client.Interposed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ImporterTest {
  private static final String[] NAMES = {"a", "b", "c", "d", "e", "f", "g", "h"};

  /** What an import reports and what is in the tree afterwards. */
  private record Imported(List<String> bad, Map<String, String> tree) {}

  private static void importAll(NameService service, List<String> lines, boolean oneByOne, List<String> bad) {
    try (Importer importer =
        new Importer(service, true, oneByOne,
            result -> result.bad.forEach(line -> bad.add(line.line() + ": " + line.message())))) {
      long number = 0;
      for (String line : lines) {
        number++;
        importer.add(number, EntryLine.parse(line), line.length());
      }
      importer.finish();
    }
  }

  private static Imported imported(List<String> lines, boolean oneByOne) {
    NameService service = new ModelNameService();
    List<String> bad = new ArrayList<>();
    importAll(service, lines, oneByOne, bad);
    return new Imported(bad, tree(service));
  }

  private static Map<String, String> tree(NameService service) {
    Map<String, String> tree = new TreeMap<>();
    Deque<String> directories = new ArrayDeque<>(List.of(""));
    while (!directories.isEmpty()) {
      String directory = directories.remove();
      Target target = Target.of(EntryLine.parse(directory.isEmpty() ? "/" : directory).path());
      Page page =
          service.list(CallContext.ANONYMOUS, new ListRequest(target, 10_000, Optional.empty(), Optional.empty()))
              .value().orThrow();
      assertThat(page.next()).isEmpty();
      for (Entry entry : page.entries()) {
        String path = directory + "/" + entry.displayName();
        boolean junction = entry instanceof Entry.Junction;
        tree.put(path, junction ? ((Entry.Junction) entry).references().get(0).address() : "directory");
        if (!junction) {
          directories.add(path);
        }
      }
    }
    return tree;
  }

  /** Lines that contradict each other at random have the outcome of batches that are sent one after the other. */
  @Test
  void anyOrderOfLinesHasTheOutcomeOfTheirSequence() {
    Random random = new Random(7);
    for (int round = 0; round < 5; round++) {
      List<String> lines = new ArrayList<>();
      while (lines.size() < 20 * ImportBatch.LINES) {
        StringBuilder path = new StringBuilder();
        // Some rounds have many names, so that conflicts are rare and many batches are in flight.
        for (int depth = 1 + random.nextInt(4); depth > 0; depth--) {
          path.append('/').append(NAMES[random.nextInt(NAMES.length)]).append(random.nextInt(1 + 40 * round));
        }
        lines.add(random.nextInt(4) == 0 ? path + "/" : path + "\turn:" + lines.size());
      }
      Imported sequential = imported(lines, true);
      Imported concurrent = imported(lines, false);
      assertThat(concurrent.tree()).isEqualTo(sequential.tree());
      assertThat(concurrent.bad()).isEqualTo(sequential.bad()).isNotEmpty();
    }
  }

  /** Batches that do not depend on each other are all with the server at a time. */
  @Test
  void independentBatchesAreInFlightTogether() {
    int together = Importer.BATCHES_UNDER_WAY - 1;
    CountDownLatch arrived = new CountDownLatch(together);
    NameService service =
        new Interposed(
            new ModelNameService(),
            request -> {
              arrived.countDown();
              await(arrived);
            });
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < together * ImportBatch.LINES; i++) {
      lines.add("/d" + i / 10 + "/f" + i + "\turn:" + i);
    }
    List<String> bad = new ArrayList<>();
    importAll(service, lines, false, bad);
    assertThat(bad).isEmpty();
    assertThat(tree(service)).hasSize(lines.size() + lines.size() / 10);
  }

  /** A line below a junction, at any depth, waits for the batch with the junction. */
  @Test
  void aLineBelowAJunctionInFlightWaitsForIt() {
    AtomicInteger additions = new AtomicInteger();
    AtomicInteger withJunction = new AtomicInteger();
    NameService model = new ModelNameService();
    List<String> lines = new ArrayList<>(List.of("/x\turn:junction"));
    for (int i = 1; i < ImportBatch.LINES; i++) {
      lines.add("/other/f" + i + "\turn:" + i);
    }
    lines.add("/x/y/z\turn:below");
    NameService service =
        new Interposed(
            model,
            request -> {
              if (request instanceof AddRequest && additions.getAndIncrement() == 1) {
                withJunction.set(tree(model).containsKey("/x") ? 1 : 0);
              }
            });
    List<String> bad = new ArrayList<>();
    importAll(service, lines, false, bad);
    assertThat(withJunction).hasValue(1);
    assertThat(bad)
        .containsExactly(ImportBatch.LINES + 1 + ": not a directory: '/x' of /x/y/z is a junction");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
