package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsError;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RefusalTest {
  private static final Target T = Target.of("/a/b");

  /** A refusal with its expected code and message. */
  record Expected(Refusal refusal, RnsError error, String message) {}

  static List<Expected> refusals() {
    return List.of(
        new Expected(new Refusal.NoSuchEntry(T, 2), RnsError.NO_SUCH_ENTRY, "no such entry: /a/b"),
        new Expected(new Refusal.NoSuchEntry(T, 1), RnsError.NO_SUCH_ENTRY,
            "no such entry: /a/b ('/a' does not exist)"),
        new Expected(
            new Refusal.NoSuchEntry(new Target(new EntryId(16), T.path()), 0),
            RnsError.NO_SUCH_ENTRY,
            "no such entry: [0000000000000010]/a/b (no entry has the id 0000000000000010)"),
        new Expected(new Refusal.EntryExists(T, Target.of("/c")), RnsError.ENTRY_EXISTS, "entry exists: /c"),
        new Expected(new Refusal.NotDirectory(T, 2), RnsError.NOT_DIRECTORY, "not a directory: /a/b"),
        new Expected(new Refusal.NotDirectory(T, 1), RnsError.NOT_DIRECTORY,
            "not a directory: '/a' of /a/b is a junction"),
        new Expected(new Refusal.IsDirectory(T), RnsError.IS_DIRECTORY, "is a directory: /a/b"),
        new Expected(new Refusal.NotEmpty(T, 0), RnsError.NOT_EMPTY, "directory is not empty: /a/b"),
        new Expected(new Refusal.NotEmpty(T, 1), RnsError.NOT_EMPTY, "directory is not empty: /a/b has 1 entry"),
        new Expected(new Refusal.NotEmpty(T, 2), RnsError.NOT_EMPTY, "directory is not empty: /a/b has 2 entries"),
        new Expected(new Refusal.VersionMismatch(T, 3, 5), RnsError.VERSION_MISMATCH,
            "version mismatch: /a/b has version 5, not 3"),
        new Expected(new Refusal.MoveIntoSelf(T, Target.of("/a/b/c")), RnsError.MOVE_INTO_SELF,
            "cannot move /a/b into its own subtree /a/b/c"),
        new Expected(new Refusal.Delegated(T, 1, 3, new EntryId(16)), RnsError.DELEGATED,
            "the content of '/a' belongs to server group 3: /a/b"),
        new Expected(new Refusal.Delegated(new Target(new EntryId(16), T.path()), 0, 3, new EntryId(16)),
            RnsError.DELEGATED,
            "the content of the directory with id 0000000000000010 belongs to server group 3: [0000000000000010]/a/b"),
        new Expected(new Refusal.RootIsFixed(Target.ROOT), RnsError.ROOT_IS_FIXED,
            "the root cannot be removed, renamed or moved"),
        new Expected(new Refusal.NotApplied(T), RnsError.NOT_APPLIED,
            "not applied: /a/b (another item of the all-or-nothing batch was refused)"),
        new Expected(new Refusal.Invalid(T, RnsError.LIMIT_EXCEEDED, "too much"), RnsError.LIMIT_EXCEEDED, "too much"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void messagesStateTheFacts(Expected said) {
    assertThat(said.refusal().error()).isEqualTo(said.error());
    assertThat(said.refusal().message()).isEqualTo(said.message());
    assertThat(said.error().kind())
        .isEqualTo(said.error() == RnsError.DELEGATED ? RnsError.Kind.ELSEWHERE : RnsError.Kind.CALLER);
    Refused.with(said.error(), () -> Outcome.refused(said.refusal()).orThrow(), said.message());
  }

  @Test
  void everyRefusalIsCovered() {
    Set<String> here = refusals().stream().map(said -> said.refusal().getClass().getName()).collect(Collectors.toSet());
    Set<String> all = Stream.of(Refusal.class.getPermittedSubclasses()).map(Class::getName).collect(Collectors.toSet());
    assertThat(here).isEqualTo(all);
  }

  @Test
  void aValueIsNotARefusal() {
    assertThat(Outcome.done("x").orThrow()).isEqualTo("x");
    assertThatThrownBy(() -> Outcome.refused(new Refusal.IsDirectory(T)).orThrow()).hasNoCause();
  }
}
