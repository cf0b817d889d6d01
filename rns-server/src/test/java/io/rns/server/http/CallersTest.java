package io.rns.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.identity.OriginPassing;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallersTest {
  @Test
  void aClientIsANetworkOfIpv6() {
    assertThat(OriginPassing.origin("192.0.2.1")).isEqualTo("192.0.2.1");
    String network = OriginPassing.origin("2001:db8:0:1::1");
    assertThat(network).isEqualTo("20010db800000001/64").isEqualTo(OriginPassing.origin("2001:db8:0:1:ffff::2"));
    assertThat(OriginPassing.origin("2001:db8:0:2::1")).isNotEqualTo(network);
    assertThat(OriginPassing.origin("::1")).isEqualTo(OriginPassing.origin("0:0:0:0:0:0:0:1"));
    assertThat(OriginPassing.origin("not:an:address")).isEqualTo("not:an:address");
  }

  @Test
  void noNameIsAnAddress() {
    CallContext named = CallContext.ANONYMOUS.from("192.0.2.1");
    assertThat(CallContext.account(new Caller("192.0.2.1", Set.of()), "")).isNotEqualTo(named.account());
    assertThat(CallContext.account(new Caller("local:a", Set.of()), "192.0.2.1")).isEqualTo("local:a");
  }
}
