package io.rns.client.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.Occupancy;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class SocketBacklogTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final long BOUND_NANOS = 30_000_000_000L;

  private static void until(SocketBacklog backlog, int least, int most) {
    long end = System.nanoTime() + BOUND_NANOS;
    while (backlog.getAsInt() < least || backlog.getAsInt() > most) {
      assertThat(System.nanoTime()).as("waiting: " + backlog.getAsInt()).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void connectionsWaitToBeAccepted() throws IOException {
    List<Socket> open = new ArrayList<>();
    try (ServerSocket listening = new ServerSocket(0, 50, HERE)) {
      SocketBacklog backlog = SocketBacklog.tcp(listening.getLocalPort());
      assertThat(backlog.getAsInt()).isZero();
      for (int i = 0; i < 3; i++) {
        open.add(new Socket(HERE, listening.getLocalPort()));
      }
      until(backlog, 3, 3);
      Admission admission = new Admission(4).queue(backlog, 50);
      assertThat(admission.occupancy()).extracting(Occupancy::occupied, Occupancy::limit).containsExactly(3L, 54L);
      open.add(listening.accept());
      assertThat(admission.enter()).isPresent();
      until(backlog, 2, 2);
      assertThat(admission.occupancy()).extracting(Occupancy::occupied, Occupancy::credit).containsExactly(3L, 51L);
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  @Test
  void datagramsWaitToBeRead() throws IOException {
    try (DatagramSocket receiving = new DatagramSocket(new InetSocketAddress(HERE, 0));
        DatagramSocket sending = new DatagramSocket()) {
      SocketBacklog backlog = SocketBacklog.udp(receiving.getLocalPort(), 1);
      assertThat(backlog.getAsInt()).isZero();
      byte[] request = new byte[100];
      for (int i = 0; i < 3; i++) {
        sending.send(new DatagramPacket(request, request.length, HERE, receiving.getLocalPort()));
      }
      until(backlog, 300, Integer.MAX_VALUE);
      int each = backlog.getAsInt() / 3;
      SocketBacklog requests = SocketBacklog.udp(receiving.getLocalPort(), each);
      assertThat(requests.getAsInt()).isEqualTo(3);
      for (int i = 0; i < 3; i++) {
        receiving.receive(new DatagramPacket(request, request.length));
      }
      until(requests, 0, 0);
    }
  }

  @Test
  void aSocketThatIsNotThereIsNotEmpty() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, HERE)) {
      port = free.getLocalPort();
    }
    assertThatThrownBy(() -> SocketBacklog.tcp(port)).isInstanceOfSatisfying(RnsException.class,
        e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
    assertThatThrownBy(() -> SocketBacklog.udp(port, 0)).hasMessageContaining("0 bytes");
  }

  /** As the kernel writes it: 16 bytes of address, queue sizes in hexadecimal digits, connections after listeners. */
  @Test
  void aCountIsUsedForAFewMilliseconds(@TempDir Path directory) throws IOException {
    Path four = directory.resolve("tcp");
    Path six = directory.resolve("tcp6");
    String header = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt\n";
    Files.writeString(four, header + "   0: 0100007F:1F90 00000000:0000 0A 00000000:0000001F 00:00000000 0\n"
        + "   1: 0100007F:1F90 0100007F:1F91 01 00000000:000000FF 00:00000000 0\n");
    Files.writeString(six, header
        + "   0: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000001 0\n");
    long[] now = {0};
    SocketBacklog backlog = new SocketBacklog(List.of(four, six), true, 8080, 1, () -> now[0]);
    assertThat(backlog.getAsInt()).isEqualTo(32);
    Files.writeString(four, header);
    now[0] = 4_999_999;
    assertThat(backlog.getAsInt()).isEqualTo(32);
    now[0] = 5_000_000;
    assertThat(backlog.getAsInt()).isEqualTo(1);
    Files.writeString(six, header);
    now[0] = 10_000_000;
    assertThat(backlog.getAsInt()).as("closed").isZero();
  }

  /** For lines of connections the kernel looks through a table that is as large as the memory allows. */
  @Test
  void nothingIsReadBehindTheSocketsThatListened(@TempDir Path directory) throws IOException {
    Path table = directory.resolve("tcp");
    String listening = "header\n   0: 0100007F:1F90 00000000:0000 0A 00000000:00000002 00:00000000 0\n";
    Files.writeString(table, listening);
    long[] now = {0};
    SocketBacklog backlog = new SocketBacklog(List.of(table), true, 8080, 1, () -> now[0]);
    Files.writeString(table, listening.replace("02 ", "03 ") + "unread\n");
    now[0] = 5_000_000;
    assertThat(backlog.getAsInt()).isEqualTo(3);
  }

  @Test
  void whatWaitsForAnExecutorTakesPlaces() {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(10);
    Admission admission = new Admission(2).queue(queue::size, 10);
    assertThat(admission.occupancy().credit()).isEqualTo(12);
    assertThat(queue.offer(1)).isTrue();
    assertThat(admission.enter()).isPresent();
    assertThat(admission.occupancy().credit()).isEqualTo(10);
    assertThat(new Admission(2).queue(() -> 99, 10).occupancy().credit()).as("more than the queue holds").isEqualTo(2);
    assertThatThrownBy(() -> new Admission(2).queue(() -> 0, -1)).hasMessageContaining("-1");
  }
}
