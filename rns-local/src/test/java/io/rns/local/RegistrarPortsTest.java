package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RegistrarPortsTest {
  @Test
  void areFreePortsUnlessConfigured() {
    RegistrarPorts ports = RegistrarPorts.in(Map.of("RNS_POOL_PEERS_PORT", "0", "RNS_POOL_PORT", ""), 3);
    Set<Integer> all = new HashSet<>(ports.elements());
    all.addAll(ports.peers());
    assertThat(all).hasSize(6).allSatisfy(port -> assertThat(port).isBetween(10_000, 32_767));
    assertThat(ports.environment(2, "127.0.0.1"))
        .containsEntry("RNS_POOL_ADDRESS", "127.0.0.1")
        .containsEntry("RNS_POOL_PORT", ports.elements().get(1).toString())
        .containsEntry("RNS_POOL_PEERS_PORT", ports.peers().get(1).toString())
        .containsEntry("RNS_POOL_REGISTRARS",
            "127.0.0.1:%s,127.0.0.1:%s,127.0.0.1:%s".formatted(ports.peers().toArray()));
    assertThat(RegistrarPorts.in(Map.of(), 1).environment(1, "127.0.0.1")).doesNotContainKey("RNS_POOL_REGISTRARS");
  }

  @Test
  void configuredPortsStartARange() {
    int first = Ports.free();
    RegistrarPorts ports = RegistrarPorts.in(Map.of("RNS_POOL_PORT", " " + first), 1);
    assertThat(ports.elements()).containsExactly(first);
    assertThat(ports.peers()).hasSize(1).doesNotContain(first);
    assertThat(RegistrarPorts.in(Map.of("RNS_POOL_PEERS_PORT", Integer.toString(first)), 1).peers())
        .containsExactly(first);
    // The last three ports: 65533 to 65535.
    RegistrarPorts.check(Map.of("RNS_POOL_PORT", "65533", "RNS_POOL_PEERS_PORT", "65530"), 3);
  }

  @Test
  void invalidOrUsedPortsAreRejectedByVariable() throws Exception {
    for (String wrong : List.of("65534", "-1", "x", "100000")) {
      assertThatThrownBy(() -> RegistrarPorts.check(Map.of("RNS_POOL_PORT", wrong), 3))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("RNS_POOL_PORT must be from 0 to 65533, not " + wrong);
    }
    assertThatThrownBy(() -> RegistrarPorts.check(Map.of("RNS_POOL_PORT", "4000", "RNS_POOL_PEERS_PORT", "4002"), 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("RNS_POOL_PORT and RNS_POOL_PEERS_PORT");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      assertThatThrownBy(() -> RegistrarPorts.in(Map.of("RNS_POOL_PEERS_PORT", port), 1))
          .isInstanceOf(LocalServiceException.class)
          .hasMessage("port " + port + " is in use by another process; choose another with RNS_POOL_PEERS_PORT");
    }
  }
}
