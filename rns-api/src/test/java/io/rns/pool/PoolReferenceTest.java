package io.rns.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolReferenceTest {
  @Test
  void theAddressContainsTheHandle() {
    assertThat(PoolReference.of(RnsPath.parse("/svc/print-1.a_b~")).address())
        .isEqualTo("urn:rns:pool:/svc/print-1.a_b~");
    assertThat(PoolReference.of(RnsPath.parse("/a b/é%:")).address()).isEqualTo("urn:rns:pool:/a%20b/%C3%A9%25%3A");
  }

  @Test
  void everyHandleSurvivesItsReference() {
    Random random = new Random(7);
    String atoms = "aZ09-._~ %:/?#[]@!$&'()*+,;=é語\u00a0";
    for (int round = 0; round < 2_000; round++) {
      StringBuilder text = new StringBuilder("/x");
      for (int i = random.nextInt(20); i > 0; i--) {
        char c = atoms.charAt(random.nextInt(atoms.length()));
        text.append(c == '/' ? "/y" : String.valueOf(c));
      }
      text.append("😀");
      RnsPath handle = RnsPath.parse(text.toString());
      assertThat(PoolReference.handle(PoolReference.of(handle))).as(text.toString()).contains(handle);
    }
  }

  @Test
  void urnsAreCaseInsensitive() {
    assertThat(PoolReference.handle(EndpointReference.ofAddress("URN:RNS:pool:%2fa%2Fb")))
        .contains(RnsPath.parse("/a/b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "http://h/urn:rns:pool:/a", "urn:rns:pool:", "urn:rns:pool:/", "urn:rns:pool:a", "urn:rns:pool:/a%",
      "urn:rns:pool:/a%2",
      "urn:rns:pool:/a%g0", "urn:rns:pool:/%ff", "urn:rns:pool:/a//b", "urn:rns:pool:/%00", "urn:rns:pools:/a",
      "urn:rns:pool:/a%-1"
  })
  void similarAddressesAreNotPools(String address) {
    assertThat(PoolReference.handle(EndpointReference.ofAddress(address))).isEmpty();
  }

  @Test
  void theRootIsNotAHandle() {
    assertThatThrownBy(() -> PoolReference.of(RnsPath.ROOT))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.INVALID_PATH));
  }

  @Test
  void pagesAreBounded() {
    assertThat(new PoolsRequest(RnsPath.ROOT, 1_000, Optional.empty())).isEqualTo(PoolsRequest.of(RnsPath.ROOT));
    assertThat(new ElementsRequest(RnsPath.ROOT, 1, 0).from(-1).after()).isEqualTo(-1);
    assertThatThrownBy(() -> new PoolsRequest(RnsPath.ROOT, 1_001, Optional.empty()))
        .hasMessageContaining("1000 pools");
    assertThatThrownBy(() -> new ElementsRequest(RnsPath.ROOT, 1_001, 0)).hasMessageContaining("1000 elements");
    assertThatThrownBy(() -> new ElementsRequest(RnsPath.ROOT, 0, 0)).hasMessageContaining("is invalid");
  }
}
