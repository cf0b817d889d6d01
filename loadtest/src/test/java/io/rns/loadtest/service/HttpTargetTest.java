package io.rns.loadtest.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.client.http.TlsTrust;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HttpTargetTest {
  private static String post(HttpTarget target) {
    return new String(target.post("<m/>".getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  @Test
  void messagesHaveTheCredential() {
    HttpTarget plain = HttpTarget.of("http://127.0.0.1:8080/rns/services/rns");
    assertThat(post(plain)).doesNotContain("Authorization").endsWith("\r\nContent-Length: 4\r\n\r\n<m/>");
    HttpTarget named = HttpTarget.of(plain.url().toString(), TlsTrust.SYSTEM, Optional.of("Bearer abc"));
    assertThat(post(named)).contains("\r\nAuthorization: Bearer abc\r\n").endsWith("\r\nContent-Length: 4\r\n\r\n<m/>");
    assertThat(post(named.at("/other"))).startsWith("POST /other HTTP/1.1\r\n").contains("Authorization: Bearer abc");
  }
}
