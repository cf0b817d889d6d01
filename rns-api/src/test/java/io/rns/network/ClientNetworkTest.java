package io.rns.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientNetworkTest {
  @ParameterizedTest
  @CsvSource({
      "192.0.2.1, 192.0.2.1",
      "2001:db8:0:1::7, 20010db800000001/64",
      "2001:db8:0:1:ffff:ffff:ffff:ffff, 20010db800000001/64",
      "2001:db8:0:2::7, 20010db800000002/64",
      "::1, 0000000000000000/64",
      "::ffff:192.0.2.1, 192.0.2.1",
      "a name, a name",
      "no:address, no:address"
  })
  void clientsOfIpv6AreNetworks(String address, String network) throws Exception {
    assertThat(ClientNetwork.of(address)).isEqualTo(network);
    if (network.chars().allMatch(c -> c == '.' || Character.isDigit(c))) {
      assertThat(ClientNetwork.of(InetAddress.getByName(address))).isEqualTo(network);
    }
  }
}
