package io.rns.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server warns of at startup. */
class ExposureTest {
  private static Optional<String> warning(boolean onLoopback, String... settings) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    return Exposure.warning(ServerConfig.read(all), onLoopback);
  }

  /** A server that was deployed without a word about access was open to its network. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withoutSettingsAServerIsClosedAndSaysWhatToSet(boolean onLoopback) {
    assertThat(warning(onLoopback)).get().asString()
        .contains("access: closed", "rns account add", "RNS_ACCOUNTS", "RNS_ADMINISTRATORS", "RNS_ACCESS=open");
    assertThat(warning(onLoopback, "RNS_ACCESS", "")).isEqualTo(warning(onLoopback));
    assertThat(warning(onLoopback, "RNS_X509_CRL", "require")).isEqualTo(warning(onLoopback));
  }

  @ParameterizedTest
  @CsvSource({"RNS_ACCOUNTS, /a, RNS_AUDIENCE, x", "RNS_ISSUERS, https://a.example/, RNS_AUDIENCE, x",
      "RNS_X509_TRUST, /a, RNS_VOMS, /b"})
  void aClosedServerWithCredentialsWarnsOfNothing(String name, String value, String also, String other) {
    assertThat(warning(false, name, value, also, other)).isEmpty();
  }

  @Test
  void aClosedServerWithAPlainPortForRegistrarsWarns() {
    assertThat(warning(true, "RNS_ACCOUNTS", "/a", "RNS_POOL_ADDRESS", "192.0.2.1")).get().asString()
        .contains("RNS_POOL_ADDRESS", "RNS_POOL_CERTIFICATE");
    assertThat(warning(true, "RNS_ACCOUNTS", "/a", "RNS_POOL_ADDRESS", "127.0.0.1")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "log"})
  void anOpenServerWarnsUnlessItIsOnLoopbackOnly(String mode) {
    assertThat(warning(false, "RNS_ACCESS", mode)).get().asString().contains("access: " + mode, "RNS_ACCESS=closed");
    assertThat(warning(true, "RNS_ACCESS", mode)).isEmpty();
    assertThat(warning(true, "RNS_ACCESS", mode, "RNS_SERVER_URL", "http://127.0.0.1:8080/rns", "RNS_POOL_ADDRESS",
        "127.0.0.1", "RNS_DNS_ZONE", "rns.example.org")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"RNS_SERVER_URL, http://rns.example.org:8080/rns, RNS_SITE, a",
      "RNS_PUBLIC_URL, https://rns.example.org/rns, RNS_SITE, a", "RNS_POOL_ADDRESS, 192.0.2.1, RNS_SITE, a",
      "RNS_DNS_ZONE, rns.example.org, RNS_DNS_ADDRESS, 0.0.0.0"})
  void anOpenServerThatOthersReachByAnotherWayWarns(String name, String value, String also, String other) {
    assertThat(warning(true, "RNS_ACCESS", "open", name, value, also, other)).isPresent();
  }
}
