package io.rns.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SystemStoresTest {
  private static final String URL = "jdbc:mysql://db:3306/rns";

  @Test
  void areNotUsedUnlessTheUrlSaysSo() {
    assertThat(SystemStores.unlessIn(URL))
        .containsOnlyKeys("fallbackToSystemKeyStore", "fallbackToSystemTrustStore")
        .containsValue("false")
        .doesNotContainValue("true");
    assertThat(SystemStores.unlessIn(URL + "?sslMode=REQUIRED")).hasSize(2);
    assertThat(SystemStores.unlessIn(URL + "?fallbacktosystemkeystore=true"))
        .containsOnlyKeys("fallbackToSystemTrustStore");
    assertThat(SystemStores.unlessIn(URL + "?a=b&fallbackToSystemTrustStore=true"))
        .containsOnlyKeys("fallbackToSystemKeyStore");
  }

  /** Without another store, certificates are verified by that of the JVM. */
  @ParameterizedTest
  @ValueSource(strings = {"?sslMode=VERIFY_CA", "?sslmode=verify_identity&x=y",
      "?useSSL=true&verifyServerCertificate=true"})
  void verifyWhereTheUrlSaysToVerify(String parameters) {
    assertThat(SystemStores.unlessIn(URL + parameters)).containsOnlyKeys("fallbackToSystemKeyStore");
  }
}
