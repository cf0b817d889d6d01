package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RnsPathTest {
  private static final EntryName A = EntryName.of("a");

  @ParameterizedTest
  @ValueSource(strings = {"/", "/a", "/a/b", "/ /\u00e9/...", "/\ud83d\ude00/*"})
  void parsesAndPrintsTheTextForm(String text) {
    RnsPath path = RnsPath.parse(text);

    assertThat(path).hasToString(text).isEqualTo(RnsPath.of(path.names())).hasSameHashCodeAs(RnsPath.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a/b", "./a", "//", "//a", "/a/", "/a//b", "/a/b/", "/.", "/..", "/a/./b", "/a/../b",
      "/a/..", " /a", "/a\u0000",
      "/a\n/b", "/\ufffe"})
  void rejectsInvalidPaths(String text) {
    Refused.with(RnsError.INVALID_PATH, () -> RnsPath.parse(text), "path '");
  }

  @Test
  void reportsTheInvalidPartAndItsIndex() {
    Refused.with(RnsError.INVALID_PATH, () -> RnsPath.parse("a/b"), "'a/b'", "does not start with '/'");
    Refused.with(RnsError.INVALID_PATH, () -> RnsPath.parse("/a/b/"), "'/a/b/'", "ends with '/'");
    Refused.with(RnsError.INVALID_PATH, () -> RnsPath.parse("/a//b"), "'/a//b'", "empty component at index 3");
    Refused.with(RnsError.INVALID_PATH, () -> RnsPath.parse("/a/../b"), "'/a/../b'", "'..' is reserved");
    Refused.with(RnsError.INVALID_PATH, () -> RnsPath.parse("/a/b\u0007"), "'/a/b\ufffd'", "U+0007");
    Refused.with(
        RnsError.LIMIT_EXCEEDED, () -> RnsPath.parse("/a/" + "n".repeat(Limits.NAME_BYTES + 1)), "path '/a/nnn",
        "1025 bytes");
    String long0 = ("/" + "n".repeat(500)).repeat(40) + "/\u0007";
    Refused.with(RnsError.INVALID_PATH, () -> RnsPath.parse(long0), "U+0007");
  }

  @Test
  void isBoundedInDepth() {
    String max = "/a".repeat(Limits.PATH_DEPTH);

    assertThat(RnsPath.parse(max).depth()).isEqualTo(Limits.PATH_DEPTH);
    assertThat(RnsPath.parse(max).parent().depth()).isEqualTo(Limits.PATH_DEPTH - 1);
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> RnsPath.parse(max + "/a"), "1025 components", "limit is 1024");
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> RnsPath.parse(max).child(A), "1025 components");
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> RnsPath.parse(max).resolve(RnsPath.of(A)), "1025 components");
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> RnsPath.of(Collections.nCopies(Limits.PATH_DEPTH + 1, A)),
        "1025 components");
  }

  @Test
  void isBoundedInBytes() {
    for (String character : new String[]{"n", "\u4e2d"}) {
      String name = "/" + character.repeat(1_023 / character.getBytes(StandardCharsets.UTF_8).length);
      String max = name.repeat(Limits.PATH_BYTES / 1_024);
      assertThat(max.getBytes(StandardCharsets.UTF_8)).hasSize(Limits.PATH_BYTES);
      RnsPath path = RnsPath.parse(max);

      assertThat(path).hasToString(max);
      assertThat(RnsPath.parse(max.substring(0, max.length() - 1)).depth()).isEqualTo(path.depth());
      Refused.with(RnsError.LIMIT_EXCEEDED, () -> RnsPath.parse(max + "n"), "32769 bytes", "limit is 32768 bytes");
      Refused.with(RnsError.LIMIT_EXCEEDED, () -> path.child(A), "32770 bytes");
      Refused.with(RnsError.LIMIT_EXCEEDED, () -> path.resolve(RnsPath.parse("/a/a")), "32772 bytes");
      Refused.with(
          RnsError.LIMIT_EXCEEDED, () -> RnsPath.of(Collections.nCopies(64, EntryName.of("n".repeat(600)))),
          "38464 bytes");
    }
  }

  @Test
  void theRootHasNoName() {
    assertThat(RnsPath.ROOT.isRoot()).isTrue();
    assertThat(RnsPath.ROOT.names()).isEmpty();
    assertThat(RnsPath.parse("/")).isSameAs(RnsPath.ROOT);
    assertThat(RnsPath.of(List.of())).isSameAs(RnsPath.ROOT);
    Refused.with(RnsError.ROOT_IS_FIXED, RnsPath.ROOT::name);
    Refused.with(RnsError.ROOT_IS_FIXED, RnsPath.ROOT::parent);
  }

  @Test
  void splitsAndJoins() {
    RnsPath path = RnsPath.parse("/a/b/c");

    assertThat(path.name()).hasToString("c");
    assertThat(path.parent()).hasToString("/a/b");
    assertThat(path.prefix(0)).isSameAs(RnsPath.ROOT);
    assertThat(path.prefix(1)).hasToString("/a");
    assertThat(path.prefix(3)).isEqualTo(path);
    assertThat(path.child(A)).hasToString("/a/b/c/a");
    assertThat(path.resolve(RnsPath.parse("/x/y"))).hasToString("/a/b/c/x/y");
    assertThat(path.resolve(RnsPath.ROOT)).isEqualTo(path);
    assertThat(RnsPath.ROOT.resolve(path)).isEqualTo(path);
  }

  @Test
  void containsItsSubtree() {
    RnsPath path = RnsPath.parse("/a/b");

    assertThat(path.contains(path)).isTrue();
    assertThat(path.contains(RnsPath.parse("/a/b/c"))).isTrue();
    assertThat(path.contains(RnsPath.parse("/a/bc"))).isFalse();
    assertThat(path.contains(RnsPath.parse("/a"))).isFalse();
    assertThat(RnsPath.ROOT.contains(path)).isTrue();
  }

  @Test
  void copiesItsList() {
    List<EntryName> names = new ArrayList<>(List.of(A));
    RnsPath path = RnsPath.of(names);
    names.add(A);

    assertThat(path).hasToString("/a");
  }

  @Test
  void ordersDepthFirst() {
    List<String> ordered =
        List.of("/", "/a", "/a/\ud83d\ude00", "/a!", "/a!/b", "/a.b", "/b", "/b/a", "/\uffee", "/\ud83d\ude00");
    List<RnsPath> paths = new ArrayList<>(ordered.stream().map(RnsPath::parse).toList());
    Collections.shuffle(paths, new java.util.Random(1));
    Collections.sort(paths);

    assertThat(paths).extracting(RnsPath::toString).isEqualTo(ordered);
  }

  @Test
  void everyPathSurvivesItsTextForm() {
    RandomCases.check(
        random -> {
          List<String> names =
              Stream.generate(() -> Texts.name(random)).limit(RandomCases.between(random, 0, 6)).toList();
          RnsPath path = RnsPath.of(names.stream().map(EntryName::of).toList());

          assertThat(RnsPath.parse(path.toString())).isEqualTo(path).isEqualByComparingTo(path);
          assertThat(path.names()).extracting(EntryName::toString).isEqualTo(names);
        });
  }
}
