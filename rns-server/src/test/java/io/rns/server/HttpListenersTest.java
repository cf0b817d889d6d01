package io.rns.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpListenersTest {
  private static final String ADMINISTRATION = "<network-listener name='admin-listener' port='4848'/>";
  private static final String DISABLED = "<network-listener name='other' enabled='false'/>";

  @TempDir private Path directory;

  private boolean areOnLoopback(String listeners) throws IOException {
    Path settings = directory.resolve("domain.xml");
    Files.writeString(
        settings,
        "<domain><servers><server name='server' config-ref='own'/></servers><configs><config name='own'>"
            + "<network-config><network-listeners>" + ADMINISTRATION + DISABLED + listeners
            + "</network-listeners></network-config></config><config name='pattern'><network-config>"
            + "<network-listeners><network-listener name='a'/></network-listeners></network-config></config>"
            + "</configs></domain>");
    return HttpListeners.areOnLoopback(settings, "server");
  }

  private static String listener(String attributes) {
    return "<network-listener name='http-listener-1' port='8080' " + attributes + "/>";
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '"', value = {"address='127.0.0.1', true", "address='localhost', true",
      "address='::1', true", "address='0.0.0.0', false", "address='${ADDRESS}', false", "'', false"})
  void onlyAnAddressOfLoopbackIsOne(String attributes, boolean expected) throws IOException {
    assertThat(areOnLoopback(listener(attributes.contains("=") ? attributes : ""))).isEqualTo(expected);
  }

  @Test
  void allListenersForApplicationsCount() throws IOException {
    String own = listener("address='127.0.0.1'");
    assertThat(areOnLoopback(own + "<network-listener name='http-listener-2' port='8181'/>")).isFalse();
    assertThat(areOnLoopback("")).as("none is known").isFalse();
    assertThat(areOnLoopback(own)).isTrue();
    assertThat(HttpListeners.areOnLoopback(directory.resolve("domain.xml"), "another")).isFalse();
  }

  @Test
  void withoutReadableSettingsNothingIsKnown() throws IOException {
    assertThat(HttpListeners.areOnLoopback(directory.resolve("none.xml"), "server")).isFalse();
    assertThat(HttpListeners.areOnLoopback(Files.writeString(directory.resolve("x"), "<domain>"), "server")).isFalse();
  }
}
