package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntryNameTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "...", ".a", " ", "a b", "~", "\\", "*", "a:b", "\u00a0", "\u00e9", "e\u0301", "\u202e",
      "\ud83d\ude00", "\ufffd",
      "\ufeff", "\udbff\udfff"})
  void preservesValidNames(String text) {
    EntryName name = EntryName.of(text);

    assertThat(name).hasToString(text).isEqualTo(EntryName.ofUtf8(name.utf8())).hasSameHashCodeAs(EntryName.of(text));
    assertThat(name.utf8()).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "/", "a/b", "a/", "\u0000", "a\u0000", "\n", "\t", "\u001f", "\u007f",
      "\u0080", "\u009f", "\ufffe",
      "\uffff"})
  void rejectsInvalidNames(String text) {
    Refused.with(RnsError.INVALID_NAME, () -> EntryName.of(text), "entry name");
  }

  /** Not parameterized: unpaired surrogates do not survive in the annotations of a class file. */
  @Test
  void refusesUnpairedSurrogates() {
    for (String text : new String[]{"\ud800", "a\udc00", "\udc00\ud800", "\ud800a", "\ud800\ud800\udc00"}) {
      Refused.with(RnsError.INVALID_NAME, () -> EntryName.of(text), "unpaired surrogate", "at index");
    }
  }

  @Test
  void reportsTheInvalidCharacterAndItsIndex() {
    Refused.with(RnsError.INVALID_NAME, () -> EntryName.of("ab\u0007c"), "'ab\ufffdc'", "U+0007", "index 2");
    Refused.with(RnsError.INVALID_NAME, () -> EntryName.of("ab/c"), "'ab/c'", "'/'", "index 2");
    Refused.with(RnsError.INVALID_NAME, () -> EntryName.of("x".repeat(10_000) + "/"), "xxx...", "index 10000");
  }

  @Test
  void isBoundedInBytes() {
    for (String character : new String[]{"a", "\u00e9", "\u4e2d", "\ud83d\ude00"}) {
      int width = character.getBytes(StandardCharsets.UTF_8).length;
      String fill = "a".repeat(Limits.NAME_BYTES % width);
      String max = character.repeat(Limits.NAME_BYTES / width) + fill;

      assertThat(EntryName.of(max).utf8()).hasSize(Limits.NAME_BYTES);
      assertThat(EntryName.of(max.substring(character.length())).utf8()).hasSize(Limits.NAME_BYTES - width);
      Refused.with(RnsError.LIMIT_EXCEEDED, () -> EntryName.of(max + "a"), "1025 bytes", "limit is 1024 bytes");
    }
  }

  @Test
  void ordersByBytes() {
    RandomCases.check(
        random -> {
          String a = Texts.name(random);
          String b = random.nextInt(10) == 0 ? a : Texts.name(random);
          int expected = Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

          assertThat(Integer.signum(EntryName.of(a).compareTo(EntryName.of(b)))).isEqualTo(Integer.signum(expected));
          assertThat(EntryName.of(a).equals(EntryName.of(b))).isEqualTo(expected == 0);
        });
  }

  @Test
  void everyTextIsPreservedOrRejected() {
    RandomCases.check(random -> checkKeptOrRefused(Texts.any(random)));
  }

  private static void checkKeptOrRefused(String text) {
    boolean allowed;
    try {
      allowed = EntryName.of(text).toString().equals(text);
    } catch (RnsException e) {
      assertThat(e.error()).isEqualTo(RnsError.INVALID_NAME);
      allowed = false;
    }
    boolean expected =
        !text.isEmpty()
            && !text.equals(".")
            && !text.equals("..")
            && encodes(text)
            && text.chars().noneMatch(c -> c == '/' || Character.isISOControl(c) || c >= 0xfffe);
    assertThat(allowed).isEqualTo(expected);
  }

  private static boolean encodes(String text) {
    try {
      return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text)).hasArray();
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
