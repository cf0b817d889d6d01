package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessRulesTest {
  private static final AccessRule READERS = AccessRule.parse("group:/cms=list,read");
  private static final Caller ALICE = new Caller("local:alice", Set.of("/cms"));
  private static final Caller BOB = new Caller("local:bob", Set.of());

  private static AccessRules of(String owner, String... rules) {
    return new AccessRules(
        Optional.ofNullable(owner), Optional.of(List.of(rules).stream().map(AccessRule::parse).toList()));
  }

  @Test
  void aRuleIsReadAsItIsWritten() {
    assertThat(READERS.text()).isEqualTo("group:/cms=list,read");
    assertThat(AccessRule.parse("x509:/DC=org/CN=Alice A=read, add"))
        .isEqualTo(new AccessRule("x509:/DC=org/CN=Alice A", Set.of(Right.READ, Right.ADD)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "anyone", "anyone=", "anyone=write", "anyone=read,", "=read", "alice=read", ":alice=read",
      "local:=read", " local:a=read", "local:a\u0007=read", "anyone=READ"})
  void whatIsNoRuleIsRefused(String text) {
    Refused.with(RnsError.INVALID_REQUEST, () -> AccessRule.parse(text));
  }

  @Test
  void adminIncludesAllOtherRights() {
    AccessRule admin = AccessRule.parse("local:alice=admin");
    assertThat(Right.values()).allMatch(admin::grants);
  }

  @Test
  void rulesGrantToNamesGroupsTheAuthenticatedAndAnyone() {
    AccessRules rules = of(null, "local:bob=add", "group:/cms=read", "authenticated=list", "anyone=remove");
    assertThat(rights(rules, ALICE)).containsExactly(Right.LIST, Right.READ, Right.REMOVE);
    assertThat(rights(rules, BOB)).containsExactly(Right.LIST, Right.ADD, Right.REMOVE);
    assertThat(rights(rules, Caller.ANONYMOUS)).containsExactly(Right.REMOVE);
    assertThat(rules.granting(ALICE, Right.READ)).contains(AccessRule.parse("group:/cms=read"));
    assertThat(rules.granting(ALICE, Right.ADMIN)).isEmpty();
  }

  @Test
  void theAnonymousCallerHasNoGroups() {
    AccessRules rules = of(null, "group:/cms=read");
    assertThat(rights(rules, new Caller("", Set.of("/cms")))).isEmpty();
  }

  @Test
  void namesAndGroupsAreDifferentThings() {
    AccessRules rules = of(null, "group:local:cms=read", "local:cms=add");
    assertThat(rights(rules, new Caller("group:local:cms", Set.of()))).isEmpty();
    assertThat(rights(rules, new Caller("local:x", Set.of("local:cms")))).containsExactly(Right.READ);
  }

  private static List<Right> rights(AccessRules rules, Caller caller) {
    return List.of(Right.values()).stream().filter(right -> rules.grant(caller, right)).toList();
  }

  @Test
  void metadataKeepTheOtherElements() {
    Metadata others = Metadata.parse("<a xmlns=\"urn:x\">access</a><access>mine</access>");
    AccessRules rules = of("local:alice", "group:/a&b \"c\"=list,admin");
    Metadata both = others.with(rules);
    assertThat(both.access()).isEqualTo(rules).hasToString(
        "<access xmlns=\"urn:rns:ext:1\" owner=\"local:alice\"><rules>"
            + "<rule subject=\"group:/a&amp;b &quot;c&quot;\" rights=\"list admin\"/></rules></access>");
    assertThat(both.withoutAccess()).isEqualTo(others);
    assertThat(both.with(AccessRules.NONE)).isEqualTo(others);
    assertThat(both.with(rules.inheriting()).access()).isEqualTo(new AccessRules(Optional.of("local:alice"),
        Optional.empty()));
    assertThat(others.access()).isEqualTo(AccessRules.NONE);
    assertThat(Metadata.stored(both.xml()).access()).isEqualTo(rules);
  }

  @Test
  void anyPrefixOrEscapedNamespaceIsTheSameElement() {
    assertThat(Metadata.parse("<q:access xmlns:q=\"urn:rns:&#101;xt:1\"><q:rules/></q:access>").access())
        .isEqualTo(AccessRules.CLOSED);
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "<access xmlns=\"urn:rns:ext:1\"/><access xmlns=\"urn:rns:ext:1\"/>",
      "<access xmlns=\"urn:rns:ext:1\"><rule subject=\"anyone\" rights=\"read\"/></access>",
      "<access xmlns=\"urn:rns:ext:1\"><rules/><rules/></access>",
      "<access xmlns=\"urn:rns:ext:1\"><rules><rule subject=\"anyone\"/></rules></access>",
      "<access xmlns=\"urn:rns:ext:1\"><rules><rule subject=\"anyone\" rights=\"\"/></rules></access>",
      "<access xmlns=\"urn:rns:ext:1\"><rules><rule subject=\"anyone\" rights=\"fly\"/></rules></access>",
      "<access xmlns=\"urn:rns:ext:1\" owner=\"\"/>",
      "<access xmlns=\"urn:rns:ext:1\" owner=\"rns:service\"/>",
      "<access xmlns=\"urn:rns:ext:1\"><rules><rule subject=\"anyone\" rights=\"read\"/>"
          + "<rule subject=\"anyone\" rights=\"list\"/></rules></access>"})
  void wrongRulesAreRefusedAndGrantNothing(String xml) {
    Metadata metadata = Metadata.stored(xml);
    Refused.with(RnsError.INVALID_REQUEST, metadata::givenAccess);
    assertThat(metadata.access()).isEqualTo(AccessRules.CLOSED);
  }

  @Test
  void numbersAndLengthsAreLimited() {
    List<AccessRule> rules = new ArrayList<>();
    for (int i = 0; i < Limits.ACCESS_RULES; i++) {
      rules.add(AccessRule.parse("local:" + i + "=read"));
    }
    AccessRules most = new AccessRules(Optional.empty(), Optional.of(rules));
    assertThat(Metadata.NONE.with(most).access()).isEqualTo(most);
    Refused.with(
        RnsError.LIMIT_EXCEEDED, () -> most.with("anyone", Optional.of(AccessRule.parse("anyone=read"))),
        Integer.toString(Limits.ACCESS_RULES));

    String longest = "local:".concat("x".repeat(Limits.ACCESS_SUBJECT_BYTES)).substring(0, Limits.ACCESS_SUBJECT_BYTES);
    assertThat(new AccessRule(longest, Set.of(Right.READ)).subject()).isEqualTo(longest);
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> new AccessRule(longest + "x", Set.of(Right.READ)));

    List<AccessRule> large = new ArrayList<>();
    for (int i = 10; i < 27; i++) {
      large.add(new AccessRule(longest.substring(2) + i, Set.of(Right.READ)));
    }
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> new AccessRules(Optional.empty(), Optional.of(large)).xml());
  }
}
