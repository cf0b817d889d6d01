package io.rns.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Caller;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccessPolicyTest {
  private static final AccessPolicy POLICY =
      new AccessPolicy(AccessMode.CLOSED, Set.of("local:admin", "group:local:operators", ""));

  @Test
  void administratorsAreNamedOrInANamedGroup() {
    assertThat(POLICY.isAdministrator(new Caller("local:admin", Set.of()))).isTrue();
    assertThat(POLICY.isAdministrator(new Caller("local:eve", Set.of("local:operators")))).isTrue();
    assertThat(POLICY.isAdministrator(Caller.SERVICE)).isTrue();
    assertThat(POLICY.isAdministrator(new Caller("local:eve", Set.of("local:readers")))).isFalse();
  }

  @Test
  void namesAndGroupsAreDifferentThings() {
    assertThat(POLICY.isAdministrator(new Caller("local:eve", Set.of("local:admin")))).isFalse();
    assertThat(POLICY.isAdministrator(new Caller("local:operators", Set.of()))).isFalse();
  }

  @Test
  void anonymousCallersAreNoAdministrators() {
    assertThat(POLICY.isAdministrator(Caller.ANONYMOUS)).isFalse();
    assertThat(POLICY.isAdministrator(new Caller("", Set.of("local:operators")))).isFalse();
  }

  @Test
  void limitsOfACredentialHoldForAdministrators() {
    Scope part = new Scope(RnsPath.parse("/a"), Set.of(Right.values()));
    Caller limited = new Caller("local:admin", Set.of(), List.of(Set.of(part)));
    assertThat(POLICY.isAdministrator(limited)).isTrue();
    assertThat(POLICY.mayOperate(limited)).isFalse();
    assertThat(POLICY.mayOperate(new Caller("local:admin", Set.of()))).isTrue();
  }
}
