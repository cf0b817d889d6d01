package io.rns.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "192.0.2.7:8080", "[::1]:80", "[2001:db8::7]", "[::ffff:127.0.0.1]:65535"})
  void addressesAreLiterals(String text) {
    Authority authority = Authority.parse(text);
    assertThat(authority.literal()).isTrue();
    assertThat(authority).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "rns.example.org:1", "a", "a-b.c_d", "7.example", "xn--bcher-kva.example"})
  void namesAreNot(String text) {
    assertThat(Authority.parse(text).literal()).isFalse();
    assertThat(Authority.parse(text)).hasToString(text);
  }

  @Test
  void lettersAreOfOneCase() {
    assertThat(Authority.parse("LocalHost:80")).isEqualTo(Authority.parse("localhost:80"));
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "", " ", ":80", "h/../x", "a\"b<c>", "a b", "a@b", "a:b", "a:0", "a:65536", "a:", "a:80:80", "ü", "[::1", "::1",
      "[]", "[::1]x",
      "[1:2]", "[fe80::1%25eth0]", "1.2.3", "256.1.1.1", "0x7f.1.2.3.4", "127.0.0.1.", "a..b", "-a", "a-", ".a", "a?b",
      "a#b", "a\\b",
      "a%41", "a,b"
  })
  void everythingElseIsRefused(String text) {
    assertThatThrownBy(() -> Authority.parse(text)).isInstanceOf(RnsException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void namesAreBounded() {
    String longest = "a.".repeat(126) + "b";
    assertThat(Authority.parse(longest).host()).hasSize(253);
    assertThatThrownBy(() -> Authority.parse("a." + longest)).isInstanceOf(RnsException.class);
    assertThatThrownBy(() -> Authority.parse("a.".repeat(100_000))).isInstanceOf(RnsException.class);
  }
}
