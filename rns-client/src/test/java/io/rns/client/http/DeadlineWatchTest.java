package io.rns.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.client.call.Deadline;
import io.rns.client.call.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sockets of which nothing can be read: each wait here ends by the watch, or by the timeout of the test. */
// A thread of its own: one that waits for a socket is not to be interrupted.
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeadlineWatchTest {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration SHORT = Duration.ofMillis(20);

  private final DeadlineWatch watch = new DeadlineWatch(Ticker.SYSTEM);
  private ServerSocket server;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    watch.close();
    server.close();
  }

  private Socket connected() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
  }

  private static Deadline in(Duration time) {
    return Deadline.in(time, Ticker.SYSTEM);
  }

  private static void assertReadIsBrokenOff(Socket socket) {
    assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketException.class);
  }

  @Test
  void breaksOffAtTheDeadlineWhateverElseRuns() throws IOException {
    try (Socket slow = connected();
        Socket fast = connected()) {
      DeadlineWatch.Guard longer = watch.guard(slow);
      longer.begin(in(LONG));
      DeadlineWatch.Guard shorter = watch.guard(fast);
      shorter.begin(in(SHORT));
      assertReadIsBrokenOff(fast);
      assertThat(shorter.end()).isFalse();
      assertThat(longer.end()).isTrue();
      assertThat(slow.isClosed()).isFalse();
    }
  }

  @Test
  void leavesWhatHasEndedInTime() throws IOException {
    try (Socket kept = connected();
        Socket other = connected()) {
      DeadlineWatch.Guard guard = watch.guard(kept);
      guard.begin(in(SHORT));
      assertThat(guard.end()).isTrue();
      // The first deadline is over when the second, later one is.
      DeadlineWatch.Guard later = watch.guard(other);
      later.begin(in(SHORT.multipliedBy(3)));
      assertReadIsBrokenOff(other);
      assertThat(kept.isClosed()).isFalse();
      guard.begin(in(SHORT));
      assertReadIsBrokenOff(kept);
      assertThat(guard.end()).isFalse();
    }
  }

  @Test
  void breaksOffAllWhenItIsClosedAndAfterwards() throws IOException {
    try (Socket running = connected();
        Socket late = connected()) {
      DeadlineWatch.Guard guard = watch.guard(running);
      guard.begin(in(LONG));
      watch.close();
      assertReadIsBrokenOff(running);
      assertThat(guard.end()).isFalse();
      DeadlineWatch.Guard second = watch.guard(late);
      second.begin(in(LONG));
      assertReadIsBrokenOff(late);
      assertThat(second.end()).isFalse();
    }
  }
}
