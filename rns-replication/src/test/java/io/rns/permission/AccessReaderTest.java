package io.rns.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.api.AccessRule;
import io.rns.api.AccessRules;
import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.Caller;
import io.rns.api.EndpointReference;
import io.rns.api.Metadata;
import io.rns.api.ModelNameService;
import io.rns.api.Precondition;
import io.rns.api.Right;
import io.rns.api.RnsPath;
import io.rns.api.Scope;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.identity.AccessMode;
import io.rns.identity.AccessPolicy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AccessReaderTest {
  private static final Caller ALICE = new Caller("local:alice", Set.of());
  private static final Caller ADMIN = new Caller("local:admin", Set.of());

  private final ModelNameService tree = new ModelNameService();
  private final AccessReader closed = reader(AccessMode.CLOSED);

  private AccessReader reader(AccessMode mode) {
    return new AccessReader(new AccessControl(new AccessPolicy(mode, Set.of(ADMIN.name())), false), () -> tree);
  }

  private static AccessRules rules(String... texts) {
    return new AccessRules(Optional.empty(), Optional.of(Stream.of(texts).map(AccessRule::parse).toList()));
  }

  @BeforeEach
  void make() {
    setRoot("anyone=read", "local:alice=read,admin");
    directory("/open", AccessRules.NONE);
    directory("/closed", rules("local:alice=list"));
    directory("/closed/open", rules("anyone=read,change"));
    tree.add(
        CallContext.SERVICE,
        AddRequest.of(NewEntry.junction(Target.of("/open/j"), EndpointReference.ofAddress("urn:x"))));
  }

  private void setRoot(String... texts) {
    tree.update(
        CallContext.SERVICE,
        UpdateRequest.of(EntryChange.metadata(Target.ROOT, Metadata.NONE.with(rules(texts)))));
  }

  private void directory(String path, AccessRules access) {
    tree.add(
        CallContext.SERVICE,
        AddRequest.of(
            new NewEntry(Target.of(path), List.of(), Metadata.NONE.with(access), Precondition.IF_ABSENT)));
  }

  private boolean has(Caller caller, Right right, String path) {
    return closed.has(caller, right, RnsPath.parse(path));
  }

  @Test
  void rulesHoldForPathsWithAndWithoutEntries() {
    for (String path : List.of("/open", "/open/x", "/open/x/y", "/open/j", "/open/j/x", "/x/y/z")) {
      assertThat(has(Caller.ANONYMOUS, Right.READ, path)).as(path).isTrue();
      assertThat(has(Caller.ANONYMOUS, Right.CHANGE, path)).as(path).isFalse();
      assertThat(has(ALICE, Right.CHANGE, path)).as(path).isTrue();
    }
    for (String path : List.of("/closed/x", "/closed/x/y", "/closed/open", "/closed/open/x")) {
      assertThat(has(Caller.ANONYMOUS, Right.READ, path)).as(path).isFalse();
      assertThat(has(ALICE, Right.CHANGE, path)).as(path).isFalse();
      assertThat(has(ADMIN, Right.CHANGE, path)).as(path).isTrue();
    }
  }

  @Test
  void aRefusalNamesTheDirectoryWithoutTheRight() {
    assertThatThrownBy(() -> closed.check(ALICE, Right.CHANGE, RnsPath.parse("/closed/open/x")))
        .isInstanceOfSatisfying(RnsException.class, e -> assertThat(e.error()).isEqualTo(RnsError.NOT_PERMITTED))
        .hasMessageContaining("'read' in '/closed'");
    assertThatThrownBy(() -> closed.checkIn(Caller.ANONYMOUS, Right.LIST, RnsPath.parse("/open")))
        .hasMessageContaining("'list' in '/open'");
  }

  @Test
  void limitsCountForThePathThatIsUsed() {
    Caller limited =
        new Caller(
            "local:alice", Set.of(), List.of(Set.of(new Scope(RnsPath.parse("/open/a"), Set.of(Right.values())))));
    assertThat(has(limited, Right.CHANGE, "/open/a")).isTrue();
    assertThat(has(limited, Right.CHANGE, "/open/ab")).isFalse();
    assertThat(closed.mayOperate(limited)).isFalse();
  }

  @Test
  void onlyAdministratorsOperateWhereAnybodyMaySetRules() {
    assertThat(closed.mayOperate(ALICE)).isTrue();
    for (AccessMode mode : List.of(AccessMode.OPEN, AccessMode.LOG)) {
      assertThat(reader(mode).mayOperate(ALICE)).isFalse();
      assertThat(reader(mode).mayOperate(ADMIN)).isTrue();
      assertThat(reader(mode).mayOperate(Caller.ANONYMOUS)).isFalse();
      assertThatCode(() -> reader(mode).checkSeesService(Caller.ANONYMOUS)).doesNotThrowAnyException();
    }
    setRoot("anyone=admin");
    assertThat(closed.mayOperate(Caller.ANONYMOUS)).isFalse();
    assertThat(closed.mayOperate(new Caller("local:bob", Set.of()))).isTrue();
    setRoot("anyone=read");
    assertThat(closed.mayOperate(ALICE)).isFalse();
    assertThat(closed.mayOperate(ADMIN)).isTrue();
    assertThatThrownBy(() -> closed.checkSeesService(ALICE)).hasMessageContaining("'admin' in '/'");
  }
}
