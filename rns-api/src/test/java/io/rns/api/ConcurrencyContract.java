package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest.NewEntry;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.UpdateRequest.EntryChange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** The contract of {@link NameService} for concurrent callers. */
interface ConcurrencyContract {
  /** Number of threads: more than the processors of a small machine. */
  int THREADS = 8;

  /** The service to test. */
  NameService service();

  @Test
  default void concurrentAdditionsOfOneNameSucceedOnce() {
    Sandbox s = Sandbox.in(service());

    List<Outcome<Entry>> outcomes =
        together(i -> s.add(NewEntry.junction(s.at("/contended"), Sandbox.reference("urn:from:" + i))));

    List<Outcome<Entry>> done = outcomes.stream().filter(outcome -> outcome instanceof Outcome.Done).toList();
    assertThat(done).hasSize(1);
    assertThat(s.children(s.at())).containsExactly(done.get(0).orThrow());
    assertThat(outcomes.stream().filter(outcome -> outcome instanceof Outcome.Refused).map(Sandbox::refusal))
        .containsOnly(new Refusal.EntryExists(s.at("/contended"), s.at("/contended")));
  }

  @Test
  default void concurrentAdditionsShareCreatedParents() {
    Sandbox s = Sandbox.in(service());

    List<Outcome<Entry>> outcomes =
        together(i -> s.addWithParents(NewEntry.directory(s.at("/p/q/" + i))));

    EntryId q = s.get("/p/q").id();
    assertThat(outcomes).allSatisfy(outcome -> assertThat(outcome.orThrow().binding().parent()).isEqualTo(q));
    assertThat(s.counted(s.at("/p/q")).entries()).isEqualTo(THREADS);
    assertThat(s.counted(s.at()).entries()).isEqualTo(1);
  }

  @Test
  default void compareAndSetLosesNoIncrement() {
    Sandbox s = Sandbox.in(service());
    s.add(NewEntry.directory(s.at("/counter")).with(Metadata.of(Map.of("n", "0")))).orThrow();
    int increments = 10;

    together(
        i -> {
          for (int done = 0; done < increments;) {
            done += increment(s) ? 1 : 0;
          }
          return i;
        });

    assertThat(s.get("/counter").metadata().values()).containsEntry("n", String.valueOf(THREADS * increments));
  }

  private static boolean increment(Sandbox s) {
    Entry counter = s.get("/counter");
    int n = Integer.parseInt(counter.metadata().values().getOrDefault("n", ""));
    EntryChange change = EntryChange.metadata(s.at("/counter"), Metadata.of(Map.of("n", String.valueOf(n + 1))));
    Outcome<Entry> outcome = s.update(change.with(Precondition.ifVersion(counter.version())));
    if (outcome instanceof Outcome.Refused) {
      assertThat(Sandbox.refusal(outcome)).isInstanceOf(Refusal.VersionMismatch.class);
      return false;
    }
    return true;
  }

  @Test
  default void aConcurrentlyRepeatedRequestIsAppliedOnce() {
    Sandbox s = Sandbox.in(service());
    CallContext call = CallContext.ANONYMOUS.with(RequestId.random());
    AddRequest request = AddRequest.of(NewEntry.directory(s.at("/a")), NewEntry.directory(s.at("/a/b")));

    List<Answer<List<Outcome<Entry>>>> answers = together(i -> service().add(call, request));

    assertThat(Set.copyOf(answers)).hasSize(1);
    assertThat(answers.get(0).value()).containsExactly(s.find("/a"), s.find("/a/b"));
  }

  @Test
  default void oneOfTwoMutualMovesIsRefused() {
    for (int round = 0; round < 10; round++) {
      Sandbox s = Sandbox.in(service());
      s.directory("/a");
      s.directory("/b");

      List<Outcome<Entry>> outcomes =
          together(
              i -> i % 2 == 0
                  ? s.update(EntryChange.move(s.at("/a"), s.at("/b"), EntryName.of("a")))
                  : s.update(EntryChange.move(s.at("/b"), s.at("/a"), EntryName.of("b"))));

      assertThat(outcomes.stream().filter(outcome -> outcome instanceof Outcome.Done)).hasSize(1);
      assertThat(walk(s)).hasSize(3);
    }
  }

  @Test
  default void randomMovesPreserveTheTree() {
    Sandbox s = Sandbox.in(service());
    List<EntryId> directories = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      directories.add(s.directory("/d" + i).id());
    }

    together(
        thread -> {
          Random random = new Random(thread);
          for (int i = 0; i < 25; i++) {
            EntryId moved = directories.get(random.nextInt(directories.size()));
            EntryId parent = directories.get(random.nextInt(directories.size()));
            EntryName name = EntryName.of("m" + moved.value());
            s.update(EntryChange.move(Target.of(moved), random.nextInt(4) == 0 ? s.at() : Target.of(parent), name));
          }
          return thread;
        });

    Set<EntryId> expected = new HashSet<>(directories);
    expected.add(s.directory().id());
    assertThat(walk(s)).as("no cycle, no orphan, no duplicate").containsExactlyInAnyOrderElementsOf(expected);
  }

  /** The ids of all directories at and below the sandbox. */
  private static List<EntryId> walk(Sandbox s) {
    List<EntryId> found = new ArrayList<>(List.of(s.directory().id()));
    for (int i = 0; i < found.size() && i < 1_000; i++) {
      s.children(Target.of(found.get(i))).forEach(entry -> found.add(entry.id()));
    }
    return found;
  }

  @Test
  default void removalsAndAdditionsLeaveNoOrphan() {
    Sandbox s = Sandbox.in(service());

    together(
        thread -> {
          for (int i = 0; i < 20; i++) {
            if (thread % 2 == 0) {
              s.addWithParents(NewEntry.junction(s.at("/d/e/" + thread + "-" + i), Sandbox.reference("urn:x")));
            } else {
              s.remove(Removal.recursive(s.at("/d")));
            }
          }
          return thread;
        });

    s.addWithParents(NewEntry.directory(s.at("/d/e/last"))).orThrow();
    assertThat(s.counted(s.at("/d/e")).entries()).isEqualTo(s.children(s.at("/d/e")).size());
    assertThat(s.counted(s.at("/d")).entries()).isEqualTo(1);
    assertThat(s.counted(s.at()).entries()).isEqualTo(1);
  }

  @Test
  default void everyThreadReadsWhatItWrote() {
    Sandbox s = Sandbox.in(service());

    together(
        thread -> {
          for (int i = 0; i < 20; i++) {
            String path = "/" + thread + "-" + i;
            assertThat(s.exists(path)).isFalse();
            Entry added = s.junction(path, "urn:1");
            assertThat(s.get(path)).isEqualTo(added);
            Entry changed = s.update(EntryChange.references(s.at(path), List.of(Sandbox.reference("urn:2")))).orThrow();
            assertThat(s.get(path)).isEqualTo(changed);
            if (i % 2 == 0) {
              s.remove(Removal.of(s.at(path))).orThrow();
              assertThat(s.exists(path)).isFalse();
            }
          }
          return thread;
        });

    assertThat(s.children(s.at())).hasSize(THREADS * 10);
  }

  @Test
  default void aListingDuringChangesShowsUnchangedEntriesOnce() {
    Sandbox s = Sandbox.in(service());
    List<String> staying = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      staying.add("s" + (100 + i));
      s.junction("/" + staying.get(i));
    }

    together(
        thread -> {
          for (int i = 0; i < 10; i++) {
            if (thread % 2 == 0) {
              List<String> names = s.names(ListRequest.of(s.at()).pagesOf(3));
              assertThat(names).isSorted().doesNotHaveDuplicates().containsAll(staying);
            } else {
              String path = "/s1" + (10 + thread) + "x";
              s.junction(path);
              s.remove(Removal.of(s.at(path))).orThrow();
            }
          }
          return thread;
        });
  }

  /** Runs a task on all threads concurrently; returns their results in order, or fails with the first failure. */
  private static <T> List<T> together(IntFunction<T> task) {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        running.add(
            threads.submit(
                () -> {
                  await(start);
                  return task.apply(thread);
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> result : running) {
        results.add(result.get(60, TimeUnit.SECONDS));
      }
      return results;
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("a thread of the test failed", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void await(CyclicBarrier barrier) throws InterruptedException {
    try {
      barrier.await(60, TimeUnit.SECONDS);
    } catch (BrokenBarrierException | TimeoutException e) {
      throw new AssertionError("the threads of the test did not start together", e);
    }
  }
}
