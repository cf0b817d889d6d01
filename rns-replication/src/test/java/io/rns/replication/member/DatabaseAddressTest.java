package io.rns.replication.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseAddressTest {
  /** Replicas were told to follow the host "[2001:db8::7]", which no database finds. */
  @Test
  void bracketsOfAnIpv6AddressAreNotPartOfTheHost() {
    assertThat(DatabaseAddress.parse("[2001:db8::7]:3306")).isEqualTo(new DatabaseAddress("2001:db8::7", 3306));
    assertThat(DatabaseAddress.parse("2001:db8::7:3306")).isEqualTo(new DatabaseAddress("2001:db8::7", 3306));
    assertThat(DatabaseAddress.parse("db.example.org:3306")).isEqualTo(new DatabaseAddress("db.example.org", 3306));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "db.example.org", "db.example.org:", "[::1]", "db.example.org:port"})
  void whatHasNoPortIsRefused(String text) {
    assertThatThrownBy(() -> DatabaseAddress.parse(text)).isInstanceOf(RnsException.class).hasMessageContaining(text);
  }
}
