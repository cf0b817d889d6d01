package io.rns.permission;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EffectiveAccess;
import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.Caller;
import io.rns.api.EntryId;
import io.rns.api.Refusal;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class EffectiveAccessTest {
  private static final Caller ALICE = new Caller("local:alice", Set.of("/a", "/b"));
  private static final List<Caller> CALLERS =
      List.of(ALICE, new Caller("local:bob", Set.of("/b")), new Caller("local:carol", Set.of()), Caller.ANONYMOUS);
  private static final List<String> SUBJECTS =
      List.of("local:alice", "local:bob", "local:carol", "group:/a", "group:/b", "authenticated", "anyone");

  private static AccessRules rules(String... texts) {
    return new AccessRules(
        Optional.empty(), Optional.of(List.of(texts).stream().map(AccessRule::parse).toList()));
  }

  @RepeatedTest(200)
  void itIsTheModel(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    AccessModel model = new AccessModel();
    EffectiveAccess at = EffectiveAccess.NONE;
    String path = "/";
    for (int depth = 0; depth < 8; depth++) {
      AccessRules own = random(random);
      String here = path;
      own.owner().ifPresent(owner -> model.owners.put(here, owner));
      if (!own.inherits()) {
        model.rules.put(here, own.rules().stream().map(AccessRule::text).toList());
      }
      EffectiveAccess access = at.enter(new EntryId(depth + 1), own);
      for (Caller caller : CALLERS) {
        for (Right right : Right.values()) {
          assertThat(access.grants(caller, right)).as("%s %s in %s of %s", caller, right, here, model.rules)
              .isEqualTo(model.has(caller, right, here))
              .isEqualTo(access.granting(caller, right).isPresent());
        }
      }
      at = access;
      path = depth == 0 ? "/d" : path + "/d";
    }
  }

  private static AccessRules random(Random random) {
    Optional<String> owner =
        random.nextInt(4) == 0 ? Optional.of(CALLERS.get(random.nextInt(3)).name()) : Optional.empty();
    if (random.nextInt(3) > 0) {
      return new AccessRules(owner, Optional.empty());
    }
    List<AccessRule> rules = new ArrayList<>();
    for (String subject : SUBJECTS) {
      Set<Right> rights = EnumSet.noneOf(Right.class);
      for (Right right : Right.values()) {
        if (random.nextInt(right == Right.ADMIN ? 20 : 4) == 0) {
          rights.add(right);
        }
      }
      if (!rights.isEmpty() && random.nextInt(3) == 0) {
        rules.add(new AccessRule(subject, rights));
      }
    }
    return new AccessRules(owner, Optional.of(rules));
  }

  @Test
  void theClosestRulesReplaceAllAboveAndOwnersAboveThem() {
    EffectiveAccess root = EffectiveAccess.NONE.enter(new EntryId(1), rules("anyone=list,read"));
    EffectiveAccess home =
        root.enter(new EntryId(2), new AccessRules(Optional.of("local:alice"), Optional.empty()));
    assertThat(home.granting(ALICE, Right.ADMIN))
        .contains(new EffectiveAccess.Grant(new EntryId(2), Optional.empty()));
    assertThat(home.granting(ALICE, Right.READ))
        .contains(new EffectiveAccess.Grant(new EntryId(1), Optional.of(AccessRule.parse("anyone=list,read"))));
    EffectiveAccess closed = home.enter(new EntryId(3), AccessRules.CLOSED);
    assertThat(Right.values()).noneMatch(right -> closed.grants(ALICE, right));
    assertThat(closed.rulesAt()).isEqualTo(new EntryId(3));
    assertThat(home.enter(new EntryId(4), AccessRules.NONE)).isSameAs(home);
  }

  @Test
  void whatIsNoWiderIsKnownBySourceAndOwners() {
    EffectiveAccess root = EffectiveAccess.NONE.enter(new EntryId(1), rules("anyone=list"));
    AccessRules alices = new AccessRules(Optional.of("local:alice"), Optional.empty());
    EffectiveAccess owned = root.enter(new EntryId(2), alices);
    assertThat(root.isNoWiderThan(owned)).isTrue();
    assertThat(owned.isNoWiderThan(root)).isFalse();
    assertThat(owned.enter(new EntryId(3), alices).isNoWiderThan(owned)).isTrue();
    assertThat(root.enter(new EntryId(4), rules("anyone=list")).isNoWiderThan(root)).isFalse();
  }

  @Test
  void modesAdministratorsAndLimits() {
    AccessPolicy closed = new AccessPolicy(AccessMode.CLOSED, Set.of("local:alice"));
    AccessPolicy log = new AccessPolicy(AccessMode.LOG, Set.of());
    Caller limited = new Caller(
        "local:alice", Set.of(), List.of(Set.of(new Scope(RnsPath.parse("/a"), Set.of(Right.READ)))));

    assertThat(AccessControl.open().of(Caller.ANONYMOUS).areAll()).isTrue();
    assertThat(new AccessControl(closed, false).of(ALICE).areAll()).isTrue();
    assertThat(new AccessControl(closed, false).of(Caller.SERVICE).areAll()).isTrue();
    assertThat(may(new AccessControl(closed, false), Caller.ANONYMOUS, "/a")).isFalse();
    for (AccessControl control : List.of(AccessControl.open(), new AccessControl(closed, false),
        new AccessControl(log, false))) {
      assertThat(may(control, limited, "/a/b")).isTrue();
      assertThat(may(control, limited, "/ab")).isFalse();
    }
    AccessControl logging = new AccessControl(log, false);
    assertThat(may(logging, Caller.ANONYMOUS, "/a")).isTrue();
    assertThat(logging.statistics()).containsEntry("access.wouldRefuse", 1L);
  }

  private static boolean may(AccessControl control, Caller caller, String path) {
    return control.of(caller).has(Right.READ, EffectiveAccess.NONE, () -> Optional.of(RnsPath.parse(path)));
  }

  @Test
  void aRefusalNamesTheDirectoryAndTheRight() {
    AccessPolicy closed = new AccessPolicy(AccessMode.CLOSED, Set.of());
    Refusal told = new AccessControl(closed, false).of(ALICE).refusal(Target.of("/a/b/c"), 1, Right.READ);
    assertThat(told.error()).isEqualTo(RnsError.NOT_PERMITTED);
    assertThat(told.message()).isEqualTo("not permitted: 'local:alice' lacks the right 'read' in '/a'");
    Caller limited =
        new Caller(ALICE.name(), Set.of(), List.of(Set.of(new Scope(RnsPath.parse("/b"), Set.of(Right.values())))));
    assertThat(new AccessControl(closed, false).of(limited).refusal(Target.of("/a/b/c"), 1, Right.READ).message())
        .isEqualTo("not permitted: 'local:alice', limited by its credential, lacks the right 'read' in '/a'");
    AccessControl hiding = new AccessControl(closed, true);
    assertThat(hiding.of(ALICE).refusal(Target.of("/a/b/c"), 1, Right.READ))
        .isEqualTo(new Refusal.NoSuchEntry(Target.of("/a/b/c"), 2));
    // What is below a directory that the caller may not reach looks as if its start did not exist.
    Target below = new Target(EntryId.parse("0000000000000007"), RnsPath.parse("/c"));
    assertThat(hiding.of(ALICE).refusal(below, -1, Right.READ)).isEqualTo(new Refusal.NoSuchEntry(below, 0));
    assertThat(hiding.of(ALICE).refusal(Target.of("/a/b/c"), 2, Right.ADD).error()).isEqualTo(RnsError.NOT_PERMITTED);
  }
}
