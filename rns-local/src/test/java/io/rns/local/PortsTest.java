package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void freePortsAreDistinctAndOutsideTheOutgoingRange() {
    List<Integer> ports = Ports.free(200);
    assertThat(ports).hasSize(200).doesNotHaveDuplicates()
        .allSatisfy(port -> assertThat(port).isBetween(10_000, 32_767));
  }

  @Test
  void thePartsOfAGroupThatChooseTheirPortsBeforeTheyUseThemChooseOthers() {
    assertThat(IntStream.range(0, 25).boxed().flatMap(part -> Ports.free(4).stream())).doesNotHaveDuplicates();
  }

  @Test
  void aBoundPortIsNotFree() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> Ports.requireFree(taken.getLocalPort()))
          .isInstanceOf(LocalServiceException.class)
          .hasMessageContaining("port " + taken.getLocalPort() + " is in use");
    }
  }

  @Test
  void tooManyPortsAreRejected() {
    assertThatThrownBy(() -> Ports.free(1_001))
        .isInstanceOf(LocalServiceException.class)
        .hasMessageContaining("fewer than 1001 free ports");
  }
}
