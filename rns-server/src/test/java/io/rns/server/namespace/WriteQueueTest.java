package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Target;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is served when, and who is refused; a random run against lists. */
class WriteQueueTest {
  private static final NewEntry ENTRY = NewEntry.directory(Target.of("/a"));

  private long nanos;

  private WriteQueue queue(int requests, int batch) {
    return new WriteQueue(
        new WriterSettings(
            requests, batch, Duration.ofSeconds(20), Duration.ofHours(24), Duration.ofHours(72), Duration.ZERO, true),
        () -> nanos);
  }

  private static RnsException stopped() {
    return new RnsException(RnsError.UNAVAILABLE, "stopped");
  }

  private static PendingWrite write(String origin, int items) {
    return new PendingWrite(
        CallContext.ANONYMOUS.from(origin), new AddRequest(Collections.nCopies(items, ENTRY), false, false));
  }

  private static String caller(PendingWrite write) {
    return write.call().origin();
  }

  private static void refused(PendingWrite write, RnsError error, String message) {
    assertThatThrownBy(() -> write.await(Duration.ZERO))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(error))
        .hasMessageContaining(message);
  }

  @Test
  void aCallerAloneHasAll() throws InterruptedException {
    WriteQueue queue = queue(1_000, 256);
    List<PendingWrite> writes = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      writes.add(write("a", 10));
      queue.add(writes.get(i));
    }
    assertThat(queue.nextBatch(0)).isEqualTo(writes.subList(0, 256));
    assertThat(queue.nextBatch(0)).isEqualTo(writes.subList(256, 300));
    assertThat(queue.nextBatch(0)).isEmpty();
  }

  @Test
  void whoWritesLittleIsInTheNextTransaction() throws InterruptedException {
    WriteQueue queue = queue(4_096, 256);
    for (int i = 0; i < 400; i++) {
      queue.add(write("importer " + i % 20, 100));
    }
    for (int round = 0; round < 100; round++) {
      PendingWrite single = write("single", 1);
      queue.add(single);
      List<PendingWrite> batch = queue.nextBatch(0);
      assertThat(batch).contains(single);
      assertThat(batch).as("no more than what costs so much, and one more").hasSizeLessThanOrEqualTo(4);
    }
    assertThat(queue.callers()).isEqualTo(20);
  }

  /** Also where all began together, so that each of them has waited for longer than the newcomer. */
  @Test
  void backloggedCallersGetEqualParts() throws InterruptedException {
    Random random = new Random(7);
    WriteQueue queue = queue(1_000_000, 256);
    Map<String, Long> left = new HashMap<>();
    for (int caller = 0; caller < 7; caller++) {
      for (int i = 0; i < 400; i++) {
        // Large ones and small ones.
        int items = 1 + random.nextInt(caller % 2 == 0 ? 200 : 3);
        queue.add(write("c" + caller, items));
        left.merge("c" + caller, 1L, Long::sum);
      }
    }
    Map<String, Long> served = new HashMap<>();
    left.keySet().forEach(caller -> served.put(caller, 0L));
    while (left.values().stream().allMatch(some -> some > 0)) {
      for (PendingWrite each : queue.nextBatch(0)) {
        left.merge(caller(each), -1L, Long::sum);
        served.merge(caller(each), (long) each.request().size(), Long::sum);
      }
      long most = Collections.max(served.values());
      long least = Collections.min(served.values());
      assertThat(most - least).isLessThanOrEqualTo(2 * 200);
    }
    assertThat(Collections.min(served.values())).isGreaterThan(300);
  }

  @Test
  void nobodyStarvesAmongCallersThatComeAndGo() throws InterruptedException {
    WriteQueue queue = queue(4_096, 256);
    PendingWrite large = write("large", 1_000);
    queue.add(large);
    int number = 0;
    int transactions = 0;
    List<PendingWrite> batch = List.of();
    while (!batch.contains(large)) {
      // In each transaction as many as it takes, each of another caller.
      while (queue.size() < 300) {
        queue.add(write("new " + number++, 1));
      }
      batch = queue.nextBatch(0);
      transactions++;
      assertThat(transactions).as("each of 300 may have as much first").isLessThanOrEqualTo(1_000 * 300 / 256);
    }
    assertThat(queue.remembered()).isLessThanOrEqualTo(WriteQueue.REMEMBERED);
  }

  @Test
  void whatHasWaitedForAQuarterOfItsTimeGoesFirst() throws InterruptedException {
    WriteQueue queue = queue(4_096, 256);
    PendingWrite large = write("large", Limits.BATCH_ITEMS);
    queue.add(large);
    nanos++;
    for (int i = 0; i < 600; i++) {
      queue.add(write("c" + i, 1));
    }
    assertThat(queue.nextBatch(0)).doesNotContain(large);
    nanos += Duration.ofSeconds(5).toNanos() + 1;
    assertThat(queue.nextBatch(0)).containsExactly(large);
  }

  @Test
  void aTransactionIsSmallUntilOneCallerHasBeenAloneForASecond() throws InterruptedException {
    WriteQueue queue = queue(4_096, 256);
    queue.add(write("single", 1));
    queue.add(write("importer", 100));
    assertThat(queue.nextBatch(0)).hasSize(2);
    for (int i = 0; i < 40; i++) {
      queue.add(write("importer", 100));
    }
    assertThat(queue.nextBatch(0)).hasSize(3);
    nanos += Duration.ofSeconds(1).toNanos();
    assertThat(queue.nextBatch(0)).hasSize(37);
  }

  @Test
  void contentCostsAsWell() throws InterruptedException {
    WriteQueue queue = queue(4_096, 256);
    NewEntry entry =
        NewEntry.junction(Target.of("/a"),
            EndpointReference.ofAddress("urn:" + "x".repeat(15 * WriteQueue.COST_BYTES)));
    for (int i = 0; i < 40; i++) {
      queue.add(new PendingWrite(CallContext.ANONYMOUS.from("large"), AddRequest.of(entry)));
      if (i < 10) {
        queue.add(write("small", 1));
      }
    }
    List<PendingWrite> batch = queue.nextBatch(0);
    assertThat(batch.stream().filter(each -> caller(each).equals("small"))).hasSize(10);
    assertThat(batch.stream().filter(each -> caller(each).equals("large")))
        .as("each costs 31: its address counts twice").hasSize(8);
  }

  @Test
  void aFullQueueTakesTheWritesOfOthers() throws InterruptedException {
    WriteQueue queue = queue(100, 256);
    List<PendingWrite> many = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      many.add(write("many", 1));
      queue.add(many.get(i));
    }
    assertThatThrownBy(() -> queue.add(write("many", 1)))
        .isInstanceOfSatisfying(
            RnsException.class,
            e -> {
              assertThat(e.error()).isEqualTo(RnsError.BUSY);
              assertThat(e.retryMillis()).isPresent();
            })
        .hasMessageContaining("this caller has 100 of the 100 writes that may wait, and no other has more");
    List<PendingWrite> few = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      few.add(write("few", 1));
      queue.add(few.get(i));
      refused(many.get(99 - i), RnsError.BUSY, "gave way to one of another caller");
    }
    assertThatThrownBy(() -> queue.add(write("few", 1))).hasMessageContaining("50 of the 100");
    assertThat(queue.size()).isEqualTo(100);
    assertThat(queue.refused()).isEqualTo(52);
    assertThat(queue.nextBatch(0)).containsAll(few).containsAll(many.subList(0, 50)).hasSize(100);
  }

  @Test
  void whoGaveUpCostsNothing() throws InterruptedException {
    WriteQueue queue = queue(100, 256);
    PendingWrite gone = write("a", 50);
    queue.add(gone);
    refused(gone, RnsError.UNAVAILABLE, "was not started");
    PendingWrite next = write("a", 1);
    queue.add(next);
    assertThat(queue.nextBatch(0)).containsExactly(next);
  }

  @Test
  void anEndedQueueRefusesAll() {
    WriteQueue queue = queue(100, 256);
    PendingWrite waits = write("a", 1);
    queue.add(waits);
    queue.refuse(stopped());
    refused(waits, RnsError.UNAVAILABLE, "stopped");
    PendingWrite later = write("a", 1);
    queue.add(later);
    queue.end(stopped());
    refused(later, RnsError.UNAVAILABLE, "stopped");
    assertThatThrownBy(() -> queue.add(write("a", 1))).hasMessage("stopped");
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.callers()).isZero();
  }

  /** Nothing is lost or done twice, each caller is served in order, and no transaction has more than it may. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void likeAListForEachCaller(long seed) throws InterruptedException {
    Random random = new Random(seed);
    int most = 200;
    WriteQueue queue = queue(most, 1 + random.nextInt(100));
    Map<String, Deque<PendingWrite>> model = new HashMap<>();
    int size = 0;
    for (int step = 0; step < 20_000; step++) {
      nanos += random.nextInt(20_000_000);
      if (random.nextInt(60) > 0) {
        String caller = "c" + (random.nextBoolean() ? random.nextInt(3) : random.nextInt(50));
        PendingWrite write = write(caller, 1 + random.nextInt(random.nextBoolean() ? 3 : 400));
        Deque<PendingWrite> own = model.computeIfAbsent(caller, absent -> new ArrayDeque<>());
        int largest = model.values().stream().mapToInt(Deque::size).max().orElse(0);
        if (size == most && largest <= own.size() + 1) {
          assertThatThrownBy(() -> queue.add(write)).isInstanceOf(RnsException.class);
          continue;
        }
        queue.add(write);
        own.add(write);
        size++;
        if (size > most) {
          size--;
          List<Deque<PendingWrite>> lost =
              model.values().stream().filter(each -> each.size() == largest && each.getLast().isAnswered()).toList();
          assertThat(lost).as("one of those with most has lost its last").hasSize(1);
          lost.getFirst().removeLast();
        }
      } else {
        List<PendingWrite> batch = queue.nextBatch(0);
        assertThat(batch.isEmpty()).isEqualTo(size == 0);
        assertThat(batch.stream().mapToInt(each -> each.request().size()).sum())
            .isLessThanOrEqualTo(Limits.BATCH_ITEMS);
        for (PendingWrite each : batch) {
          assertThat(model.get(caller(each)).removeFirst()).isSameAs(each);
        }
        size -= batch.size();
      }
      assertThat(queue.size()).isEqualTo(size);
    }
    while (size > 0) {
      for (PendingWrite each : queue.nextBatch(0)) {
        assertThat(model.get(caller(each)).removeFirst()).isSameAs(each);
        size--;
      }
    }
    assertThat(queue.isEmpty()).isTrue();
  }
}
