package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GroupPortsTest {
  @Test
  void membersUseTheirOwnPortsUnlessThereAreProxies() {
    assertThat(GroupPorts.ANY.known(2, 8081)).isEqualTo(8081);
    assertThat(GroupPorts.ANY.knownDatabase(2, 9307)).isEqualTo(9307);
    GroupPorts ports = new GroupPorts(8080, 9306, 9100);
    assertThat(ports.known(1, 8080)).isEqualTo(9100);
    assertThat(ports.knownDatabase(1, 9306)).isEqualTo(9101);
    assertThat(ports.known(3, 8082)).isEqualTo(9104);
    assertThat(ports.knownDatabase(3, 9308)).isEqualTo(9105);
    assertThat(ports.database(3)).isEqualTo(9308);
    assertThat(GroupPorts.ANY.database(3)).isZero();
  }

  @Test
  void rangesMayEndWithTheLastPort() {
    assertThatCode(() -> new GroupPorts(65_533, 0, 0).check(1, 2)).doesNotThrowAnyException();
    assertThatCode(() -> new GroupPorts(0, 0, 65_530).check(1, 2)).doesNotThrowAnyException();
    assertThatThrownBy(() -> new GroupPorts(0, 0, 65_531).check(1, 2))
        .hasMessage("--proxy-port must be at most 65530 with --replicas 2, not 65531");
    assertThatThrownBy(() -> new GroupPorts(0, -1, 0).check(1, 2))
        .hasMessage("--database-port must be from 0 to 65535, not -1");
    assertThatCode(() -> new GroupPorts(65_530, 0, 0).check(2, 2)).doesNotThrowAnyException();
    assertThatThrownBy(() -> new GroupPorts(65_531, 0, 0).check(2, 2))
        .hasMessage("--port must be at most 65530 with --groups 2 --replicas 2, not 65531");
    assertThatThrownBy(() -> new GroupPorts(65_534, 0, 0).check(3, 0))
        .hasMessage("--port must be at most 65533 with --groups 3, not 65534");
  }

  @Test
  void overlappingRangesAreRejected() {
    assertThatCode(() -> new GroupPorts(8080, 8083, 8086).check(1, 2)).doesNotThrowAnyException();
    assertThatThrownBy(() -> new GroupPorts(8080, 8082, 0).check(1, 2))
        .hasMessage(
            "--database-port takes the ports 8082 to 8084, --port takes 8080 to 8082; they must not overlap");
    assertThatThrownBy(() -> new GroupPorts(8080, 0, 8075).check(1, 2)).hasMessageContaining("--proxy-port");
  }
}
