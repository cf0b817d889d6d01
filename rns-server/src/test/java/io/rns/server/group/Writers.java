package io.rns.server.group;

import static io.rns.server.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.api.Position;
import io.rns.api.QueryRequest;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.error.RnsException;
import io.rns.server.group.TestGroup.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Writers that never give up, each with its own names, at all servers. */
final class Writers implements AutoCloseable {
  private static final int THREADS = 12;
  private static final Duration SOON = Duration.ofSeconds(90);
  private static final long PAUSE_NANOS = 20_000_000;

  final Map<String, Position> acknowledged = new ConcurrentHashMap<>();
  final List<String> failures = Collections.synchronizedList(new ArrayList<>());
  final AtomicInteger count = new AtomicInteger();

  private final AtomicLong answered = new AtomicLong(System.nanoTime());
  private final AtomicLong longestGap = new AtomicLong();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<?>> running = new ArrayList<>();
  private final boolean mayFail;

  Writers(boolean mayFail, List<Server> at) {
    this.mayFail = mayFail;
    for (int i = 0; i < THREADS; i++) {
      Server server = at.get(i % at.size());
      String prefix = "/w" + i + "-";
      running.add(threads.submit(() -> write(server, prefix)));
    }
  }

  private void write(Server server, String prefix) {
    for (int i = 0; stop.getCount() > 0; i++) {
      String path = prefix + i;
      CallContext call = CallContext.ANONYMOUS.with(RequestId.random());
      while (true) {
        try {
          Answer<List<Outcome<Entry>>> answer = server.service.add(call, junction(path));
          if (answer.value().get(0) instanceof Outcome.Done<Entry>) {
            acknowledged.put(path, answer.position());
            noteAnswer();
            count.incrementAndGet();
          } else {
            failures.add(path + ": " + answer.value().get(0));
          }
          break;
        } catch (RnsException e) {
          if (!mayFail) {
            failures.add(path + ": " + e.error() + " " + e.getMessage());
            break;
          }
          if (stop.getCount() == 0) {
            break;
          }
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }

  private void noteAnswer() {
    long now = System.nanoTime();
    long gap = now - answered.getAndSet(now);
    longestGap.accumulateAndGet(gap, Math::max);
  }

  /** The longest time without an answer to anybody, until now. */
  long longestGapMillis() {
    noteAnswer();
    return longestGap.get() / 1_000_000;
  }

  void awaitMore(int more) throws Exception {
    int from = count.get();
    until(more + " more writes; failures: " + failures, SOON, () -> count.get() >= from + more);
  }

  @Override
  public void close() {
    stop.countDown();
    threads.close();
    running.forEach(Future::resultNow);
  }

  void assertAllThere(Server primary) {
    assertThat(failures).isEmpty();
    List<String> missing = new ArrayList<>();
    for (String path : acknowledged.keySet()) {
      if (!has(primary, CallContext.ANONYMOUS, path)) {
        missing.add(path);
      }
    }
    assertThat(missing).isEmpty();
    assertThat(acknowledged.values()).doesNotHaveDuplicates();
  }

  static AddRequest junction(String path) {
    return AddRequest.of(NewEntry.junction(Target.of(path), EndpointReference.ofAddress("http://h" + path)));
  }

  static Position add(Server server, String path) {
    Answer<List<Outcome<Entry>>> answer =
        server.service.add(CallContext.ANONYMOUS.with(RequestId.random()), junction(path));
    assertThat(answer.value().get(0)).isInstanceOf(Outcome.Done.class);
    return answer.position();
  }

  static void remove(Server server, String path) {
    RemoveRequest request = RemoveRequest.of(Removal.of(Target.of(path)));
    assertThat(server.service.remove(CallContext.ANONYMOUS.with(RequestId.random()), request).value().get(0))
        .isInstanceOf(Outcome.Done.class);
  }

  static boolean has(Server server, CallContext call, String path) {
    return server.service.query(call, QueryRequest.of(Target.of(path))).value().get(0) instanceof Outcome.Done<Entry>;
  }
}
