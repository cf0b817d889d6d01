package io.rns.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.server.memory.MemoryPool;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TrafficTest {
  private static final int SECONDS = 20;

  private final Traffic traffic = new Traffic(Duration.ofSeconds(1), MemoryPool.ofHeap());
  private final Semaphore completed = new Semaphore(0);
  private final AsyncContext context = stand(AsyncContext.class);
  private final HttpServletRequest request = stand(HttpServletRequest.class);

  private <T> T stand(Class<T> type) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, (self, method, arguments) -> {
      if (method.getName().equals("complete")) {
        completed.release();
      }
      return method.getName().equals("startAsync") ? context : null;
    }));
  }

  private void postpone(Traffic.Answering answering) {
    traffic.postponeUrgent("urgent", request, stand(HttpServletResponse.class), answering);
  }

  /** A primary did not answer its group for a second, right after a start, and was replaced. */
  @Test
  void urgentRequestsDoNotWaitForVirtualThreads() throws InterruptedException {
    int threads = Runtime.getRuntime().availableProcessors();
    CountDownLatch spinning = new CountDownLatch(threads);
    AtomicBoolean answered = new AtomicBoolean();
    for (int i = 0; i < threads; i++) {
      Thread.startVirtualThread(() -> {
        spinning.countDown();
        while (!answered.get()) {
          Thread.onSpinWait();
        }
      });
    }
    assertThat(spinning.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    postpone(paced -> answered.set(true));
    assertThat(completed.tryAcquire(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(answered).isTrue();
  }

  @Test
  void moreUrgentRequestsThanHaveThreadsOfTheirOwnAreAnsweredToo() throws InterruptedException {
    CountDownLatch all = new CountDownLatch(Traffic.MOST_URGENT);
    CountDownLatch end = new CountDownLatch(1);
    AtomicBoolean virtual = new AtomicBoolean();
    for (int i = 0; i < Traffic.MOST_URGENT; i++) {
      postpone(paced -> {
        all.countDown();
        awaitQuietly(end);
      });
    }
    assertThat(all.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    postpone(paced -> virtual.set(Thread.currentThread().isVirtual()));
    assertThat(completed.tryAcquire(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(virtual).isTrue();
    end.countDown();
    assertThat(completed.tryAcquire(Traffic.MOST_URGENT, SECONDS, TimeUnit.SECONDS)).isTrue();
    postpone(paced -> virtual.set(Thread.currentThread().isVirtual()));
    assertThat(completed.tryAcquire(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(virtual).isFalse();
  }

  /** Problems were sent with the status 200, some of 100,000 of them. */
  @Test
  void aStatusThatTheContainerReadsMeanwhileIsNotLost() throws InterruptedException {
    CountDownLatch read = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    AtomicInteger status = new AtomicInteger();
    HttpServletResponse response = HttpServletResponse.class.cast(
        Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[]{HttpServletResponse.class}, (self, method, arguments) -> {
              switch (method.getName()) {
                case "setStatus" -> status.set((int) arguments[0]);
                // As Grizzly's does it.
                case "getStatus" -> {
                  boolean unknown = status.get() == 0;
                  read.countDown();
                  awaitQuietly(answered);
                  return unknown ? status.updateAndGet(old -> HttpServletResponse.SC_OK) : status.get();
                }
                default -> {
                }
              }
              return null;
            }));
    traffic.postponeUrgent("urgent", request, response, paced -> {
      awaitQuietly(read);
      paced.setStatus(HttpServletResponse.SC_FORBIDDEN);
      answered.countDown();
    });
    assertThat(response.getStatus()).isEqualTo(HttpServletResponse.SC_FORBIDDEN);
    assertThat(completed.tryAcquire(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(status).hasValue(HttpServletResponse.SC_FORBIDDEN);
  }

  private static void awaitQuietly(CountDownLatch end) {
    try {
      assertThat(end.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
