package io.rns.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MulticastGroupTest {
  @ParameterizedTest
  @ValueSource(strings = {"239.0.0.50%eth0", "224.0.1.185%lo", "239.255.0.1%br-0a1b2c3d"})
  void aGroupIsAnAddressAndAnInterface(String text) {
    assertThat(MulticastGroup.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ff05::133%eth0", "FF02:0:0::133%eth0"})
  void soItIsByIpv6(String text) {
    MulticastGroup group = MulticastGroup.parse(text);
    assertThat(group.interfaceName()).isEqualTo("eth0");
    assertThat(MulticastGroup.parse(group.toString())).isEqualTo(group);
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "", "%", "239.0.0.50", "239.0.0.50%", "%eth0", "10.0.0.1%eth0", "2001:db8::1%eth0", "group.example%eth0",
      "239.0.50%eth0", "239.0.0.50%eth0%eth1", "239.0.0.50%an-interface-too-long", ":::%eth0", "239.0.0.50%a b"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> MulticastGroup.parse(text)).isInstanceOf(RnsException.class)
        .hasMessage("'" + text + "' is not a multicast address and an interface, such as 239.0.0.50%eth0");
  }
}
