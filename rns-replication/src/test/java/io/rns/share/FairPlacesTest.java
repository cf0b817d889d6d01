package io.rns.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FairPlacesTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  private static Future<FairPlaces.Result> waiting(FairPlaces places, String caller, int some, int before)
      throws InterruptedException {
    FutureTask<FairPlaces.Result> task = new FutureTask<>(() -> places.take(caller, some, LONG));
    Thread thread = Thread.ofPlatform().daemon().start(task);
    while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
      Thread.onSpinWait();
    }
    assertThat(places.callersWaiting()).isGreaterThanOrEqualTo(before);
    return task;
  }

  @Test
  void aCallerAloneHasThreeQuarters() {
    FairPlaces places = new FairPlaces(8, 1);
    assertThat(places.tryTake("a", 6)).isEqualTo(FairPlaces.Result.TAKEN);
    assertThat(places.tryTake("a", 1)).isEqualTo(FairPlaces.Result.OWN_LIMIT);
    assertThat(places.limit("a")).isEqualTo(6);
    assertThat(places.tryTake("b", 1)).isEqualTo(FairPlaces.Result.TAKEN);
    assertThat(places.tryTake("b", 1)).isEqualTo(FairPlaces.Result.OWN_LIMIT);
    assertThat(places.tryTake("c", 2)).isEqualTo(FairPlaces.Result.NONE_FREE);
    assertThat(places.tryTake("c", 1)).isEqualTo(FairPlaces.Result.TAKEN);
    assertThat(places.tryTake("d", 1)).isEqualTo(FairPlaces.Result.NONE_FREE);
    assertThat(places.refused()).isEqualTo(2);
    places.giveBack("a", 4);
    assertThat(places.tryTake("b", 2)).isEqualTo(FairPlaces.Result.TAKEN);
    assertThat(places.taken()).isEqualTo(6);
  }

  @Test
  void whatACallerMayHaveInAnyCaseItGets() {
    FairPlaces places = new FairPlaces(8, 8);
    assertThat(places.tryTake("a", 5)).isEqualTo(FairPlaces.Result.TAKEN);
    assertThat(places.tryTake("a", 3)).isEqualTo(FairPlaces.Result.TAKEN);
    assertThat(places.tryTake("b", 1)).isEqualTo(FairPlaces.Result.NONE_FREE);
    assertThatThrownBy(() -> places.giveBack("b", 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new FairPlaces(8, 9)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whoHoldsLeastIsNext() throws Exception {
    FairPlaces places = new FairPlaces(2, 2);
    assertThat(places.tryTake("a", 2)).isEqualTo(FairPlaces.Result.TAKEN);
    List<Future<FairPlaces.Result>> own = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      own.add(waiting(places, "a", 1, 1));
    }
    Future<FairPlaces.Result> other = waiting(places, "b", 1, 2);
    places.giveBack("a", 1);
    assertThat(other.get(1, TimeUnit.MINUTES)).isEqualTo(FairPlaces.Result.TAKEN);
    assertThat(own).noneMatch(Future::isDone);
    places.giveBack("b", 1);
    for (Future<FairPlaces.Result> each : own) {
      assertThat(each.get(1, TimeUnit.MINUTES)).isEqualTo(FairPlaces.Result.TAKEN);
      places.giveBack("a", 1);
    }
    assertThat(places.taken()).isEqualTo(1);
    assertThat(places.hasWaiting()).isFalse();
  }

  @Test
  void nothingOvertakesALargeRequest() throws Exception {
    FairPlaces places = new FairPlaces(4, 4);
    assertThat(places.tryTake("a", 3)).isEqualTo(FairPlaces.Result.TAKEN);
    Future<FairPlaces.Result> large = waiting(places, "b", 4, 1);
    Future<FairPlaces.Result> small = waiting(places, "c", 1, 2);
    places.giveBack("a", 1);
    assertThat(small.isDone()).isFalse();
    places.giveBack("a", 2);
    assertThat(large.get(1, TimeUnit.MINUTES)).isEqualTo(FairPlaces.Result.TAKEN);
    places.giveBack("b", 4);
    assertThat(small.get(1, TimeUnit.MINUTES)).isEqualTo(FairPlaces.Result.TAKEN);
  }

  @Test
  void whoGivesUpMakesRoomForTheNext() throws Exception {
    FairPlaces places = new FairPlaces(4, 4);
    assertThat(places.tryTake("a", 3)).isEqualTo(FairPlaces.Result.TAKEN);
    FutureTask<FairPlaces.Result> large = new FutureTask<>(() -> places.take("b", 4, LONG));
    Thread thread = Thread.ofPlatform().daemon().start(large);
    while (!places.hasWaiting()) {
      Thread.onSpinWait();
    }
    Future<FairPlaces.Result> small = waiting(places, "c", 1, 2);
    thread.interrupt();
    assertThat(small.get(1, TimeUnit.MINUTES)).isEqualTo(FairPlaces.Result.TAKEN);
    assertThatThrownBy(large::get).hasCauseInstanceOf(InterruptedException.class);
    assertThat(places.take("d", 1, Duration.ofMillis(1))).isEqualTo(FairPlaces.Result.NONE_FREE);
    assertThat(places.take("a", 1, Duration.ofMillis(1))).isEqualTo(FairPlaces.Result.NONE_FREE);
    assertThat(places.callersWaiting()).isZero();
  }

  /** Many threads, in short turns: never more than there are, never more than a caller may, and all come through. */
  @Test
  void sharedByManyThreads() throws InterruptedException {
    int all = 12;
    FairPlaces places = new FairPlaces(all, 3);
    Map<String, Integer> held = new HashMap<>();
    ConcurrentLinkedQueue<String> broken = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      String caller = "caller " + i % 5;
      Random random = new Random(i);
      threads.add(Thread.ofPlatform().start(() -> {
        try {
          for (int turn = 0; turn < 300; turn++) {
            int some = 1 + random.nextInt(3);
            if (places.take(caller, some, LONG) != FairPlaces.Result.TAKEN) {
              broken.add("not taken");
              return;
            }
            synchronized (held) {
              int own = held.merge(caller, some, Integer::sum);
              int sum = held.values().stream().mapToInt(each -> each).sum();
              if (sum > all || own > all * 3 / 4) {
                broken.add(held.toString());
              }
            }
            Thread.onSpinWait();
            synchronized (held) {
              held.merge(caller, -some, Integer::sum);
            }
            places.giveBack(caller, some);
          }
        } catch (InterruptedException | RuntimeException e) {
          broken.add(e.toString());
        }
      }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(broken).isEmpty();
    assertThat(places.taken()).isZero();
    assertThat(places.hasWaiting()).isFalse();
  }
}
