package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections of the kernel, one by one; all of a front: {@link RemoteHandoverTest}. */
class TcpRepairTest {
  private static final int TCP = 6;
  private static final int REPAIR = 19;
  private static final int MAXSEG = 2;
  private static final int REUSE = 2;

  @BeforeEach
  void needsLinux() throws Exception {
    assumeTrue(Runtime.version().feature() >= 22, "a front moves to other machines with Java 22 or newer only");
    assumeTrue(TestSubnet.isPossible(), "sockets in repair mode need CAP_NET_ADMIN");
  }

  private static int attached(TcpRepair repair, int number) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    return repair.attach(
        new TcpState(
            new InetSocketAddress(loopback, 0), new InetSocketAddress(loopback, 9), number, number, false, 7, 0x77,
            1_460, number, new byte[TcpState.WINDOW_BYTES], new byte[]{1}));
  }

  @Test
  void aConnectionThatHasEndedDoesNotKeepTheOthersFromGoingOn() throws Exception {
    SystemCalls calls = new SystemCalls();
    TcpRepair repair = new TcpRepair(calls);
    int ended = attached(repair, 1);
    int other = attached(repair, 2);
    try {
      assertThat(calls.get(other, TCP, REPAIR, "TCP_REPAIR")).isEqualTo(1);
      repair.drop(ended);
      repair.activateAll(List.of(ended, other));
      assertThat(calls.get(other, TCP, REPAIR, "TCP_REPAIR")).isZero();
    } finally {
      repair.drop(other);
    }
  }

  /** Its segments had 524 bytes, as those to a side that has named no size. */
  @Test
  void aConnectionGoesOnWithItsSegments() throws Exception {
    SystemCalls calls = new SystemCalls();
    TcpRepair repair = new TcpRepair(calls);
    int socket = attached(repair, 1);
    try {
      repair.activateAll(List.of(socket));
      assertThat(calls.get(socket, TCP, MAXSEG, "TCP_MAXSEG")).isBetween(1_400, 1_460);
    } finally {
      repair.drop(socket);
    }
  }

  /** A front that started within a minute after such a connection had ended was refused its port. */
  @Test
  void aConnectionDoesNotKeepItsPortFromALaterListener() throws Exception {
    SystemCalls calls = new SystemCalls();
    TcpRepair repair = new TcpRepair(calls);
    int socket = attached(repair, 1);
    try {
      repair.activateAll(List.of(socket));
      assertThat(calls.get(socket, SystemCalls.SOCKET_LEVEL, REUSE, "SO_REUSEADDR")).isEqualTo(1);
    } finally {
      repair.drop(socket);
    }
  }
}
