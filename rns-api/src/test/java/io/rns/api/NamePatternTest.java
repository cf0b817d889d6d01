package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.rns.api.NamePattern.Syntax;
import io.rns.error.Limits;
import io.rns.error.RnsError;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamePatternTest {
  /** Longer than any valid match takes on a busy machine, shorter than the matches to prevent. */
  private static final Duration FAST = Duration.ofSeconds(10);

  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', value = {
      "*, a", "a*, a", "a*, abc", "*c, abc", "a*c, ac", "?, \ud83d\ude00", "??, ab", "a?c, abc", "[a-c], b",
      "[!a-c], d", "[^a-c], \ud83d\ude00",
      "[abc]*, b", "[]a], ]", "[]a], a", "[!]a], b", "[a-], -", "[-a], -", "[a\\-c], -", "[\\]], ]", "[\\!], !",
      "[!!], a", "[a^], ^", "[[], [", "[a&&b], &",
      "[\ud83d\ude00-\ud83d\ude02], \ud83d\ude01", "[a, [a", "[], []", "[!], [!]", "a[, a[", "\\*, *", "\\[a], [a]",
      "\\\\, \\", "a\\, a\\", "a.b, a.b", "a+, a+", "(a|b), (a|b)",
      "^a$, ^a$", "{a}, {a}", "\u00e9*, \u00e9t\u00e9", "[[:alpha:]], a]", "[a\\d], d"
  })
  void globMatches(String glob, String name) {
    assertThat(NamePattern.glob(glob).matches(EntryName.of(name))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', value = {
      "a, b", "a, ab", "a, ba", "a, A", "?, ab", "a?, a", "a*c, abcd", "[a-c], d", "[!a-c], b", "[!]a], ]", "[!]a], a",
      "[a\\-c], b", "\\*, a", "\\[a], a", "a.b, axb",
      "a+, aa", "(a|b), a", "[a&&b], c", "[a\\d], 1", "*.txt, a.txt.gz", "[\\]], a", "[]a], b"
  })
  void globDoesNotMatch(String glob, String name) {
    assertThat(NamePattern.glob(glob).matches(EntryName.of(name))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', value = {
      "abc, abc", "abc*, abc", "a?c, a", "a[b]c, a", "a\\*c, a*c", "a\\[*, a[", "a[b, a[b",
      "\u00e9\ud83d\ude00*x, \u00e9\ud83d\ude00", "a.b+*, a.b+"
  })
  void theLiteralPrefixOfAGlobEndsAtItsFirstWildcard(String glob, String prefix) {
    assertThat(NamePattern.glob(glob).literalPrefix()).isEqualTo(prefix);
  }

  @Test
  void leadingWildcardsLeaveNoPrefix() {
    assertThat(List.of(NamePattern.glob("*a"), NamePattern.glob("?a"), NamePattern.glob("[a]a"), NamePattern.glob("")))
        .allSatisfy(pattern -> assertThat(pattern.literalPrefix()).isEmpty());
  }

  @Test
  void regularExpressionsMatchTheWholeName() {
    NamePattern pattern = NamePattern.regex("a|b.*");

    assertThat(pattern.matches(EntryName.of("a"))).isTrue();
    assertThat(pattern.matches(EntryName.of("bcd"))).isTrue();
    assertThat(pattern.matches(EntryName.of("ab"))).isFalse();
    assertThat(pattern.matches(EntryName.of("xa"))).isFalse();
    assertThat(NamePattern.regex(".").matches(EntryName.of("\ud83d\ude00"))).isTrue();
    assertThat(NamePattern.regex("(?i)\u00c9t\\pL").matches(EntryName.of("\u00e9t\u00e9"))).isTrue();
    assertThat(NamePattern.regex("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
        .matches(EntryName.of("123e4567-e89b-12d3-a456-426614174000")))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "(", ")", "*", "a**", "\\1", "(?=a)", "(?!a)", "(?<=a)b", "a{1001}", "[z-a]", "\\",
      "(?P<n", "\\p{Nothing}"})
  void malformedRegularExpressionsAreRejected(String regex) {
    Refused.with(RnsError.INVALID_REQUEST, () -> NamePattern.regex(regex), "name pattern '" + regex + "'");
  }

  @Test
  void malformedRangesAreRejected() {
    Refused.with(RnsError.INVALID_REQUEST, () -> NamePattern.glob("[z-a]"), "name pattern '[z-a]'");
  }

  @Test
  void patternsAreBounded() {
    for (Syntax syntax : Syntax.values()) {
      String max = "a".repeat(Limits.PATTERN_CHARS);
      assertThat(NamePattern.of(syntax, max).matches(EntryName.of(max))).isTrue();
      assertThat(NamePattern.of(syntax, max.substring(1)).matches(EntryName.of(max))).isFalse();
      Refused.with(RnsError.LIMIT_EXCEEDED, () -> NamePattern.of(syntax, max + "a"), "1025 characters",
          "limit is 1024");
    }
    assertThat(NamePattern.regex("a{1000}b{24}").literalPrefix()).isEmpty();
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> NamePattern.regex("a{1000}b{25}"), "1025 characters");
    Refused.with(RnsError.LIMIT_EXCEEDED, () -> NamePattern.regex("(a{5}){205}"), "(a{5}){205}", "written out",
        "1230 characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"((a{1000}){1000}){1000}", "(((((a?){1,99}){99}){99}){99})x",
      "((((((((((a{9}){9}){9}){9}){9}){9}){9}){9}){9}){9})"})
  void patternsThatGrowWhenCompiledAreRejectedFirst(String regex) {
    assertTimeoutPreemptively(
        FAST, () -> Refused.with(RnsError.LIMIT_EXCEEDED, () -> NamePattern.regex(regex), "written out"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"(a+)+b", "(a*)*b", "(a|a)*b", "(a|aa)+b", "(x+x+)+y", "(.*){1,30}b", "(.*a){20}b",
      "^(([a-z])+.)+[A-Z]([a-z])+$"})
  void noPatternStallsOnAnyName(String regex) {
    NamePattern pattern = NamePattern.regex(regex);
    EntryName name = EntryName.of("a".repeat(Limits.NAME_BYTES - 1) + "!");

    assertTimeoutPreemptively(FAST, () -> assertThat(pattern.matches(name)).isFalse());
  }

  @Test
  void patternsAreEqualByTheirTextAndSyntax() {
    assertThat(NamePattern.glob("a*")).isEqualTo(NamePattern.of(Syntax.GLOB, "a*"))
        .hasSameHashCodeAs(NamePattern.glob("a*")).hasToString("a*");
    assertThat(NamePattern.glob("a*")).isNotEqualTo(NamePattern.regex("a*")).isNotEqualTo(NamePattern.glob("a"));
    assertThat(NamePattern.regex("a*").syntax()).isEqualTo(Syntax.REGEX);
  }

  private static final List<String> GLOB_PARTS =
      List.of("a", "b", "*", "?", "\\*", "\\\\", "[ab]", "[!a]", ".", "\ud83d\ude00");
  private static final List<String> NAME_PARTS = List.of("a", "b", "*", "\\", "-", "\ud83d\ude00");

  @Test
  void globsMatchTheReferenceImplementation() {
    RandomCases.check(
        random -> {
          String glob = RandomCases.joined(random, 0, 6, GLOB_PARTS);
          String name = RandomCases.joined(random, 1, 6, NAME_PARTS);
          NamePattern pattern = NamePattern.glob(glob);
          boolean matches = pattern.matches(EntryName.of(name));

          assertThat(matches).as("%s, %s", glob, name).isEqualTo(matches(glob, name));
          if (matches) {
            assertThat(name).startsWith(pattern.literalPrefix());
          }
        });
  }

  @Test
  void everyNameMatchesItself() {
    RandomCases.check(
        random -> {
          String name = RandomCases.joined(random, 1, 6, NAME_PARTS);
          String escaped = name.replaceAll("[*?\\[\\\\]", "\\\\$0");

          assertThat(NamePattern.glob(escaped).matches(EntryName.of(name))).as(name).isTrue();
          assertThat(NamePattern.glob(escaped).literalPrefix()).isEqualTo(name);
        });
  }

  /** A naive reference implementation; the only sets are those of {@link #GLOB_PARTS}. */
  private static boolean matches(String glob, String name) {
    if (glob.isEmpty()) {
      return name.isEmpty();
    }
    if (glob.startsWith("*")) {
      return matches(glob.substring(1), name) || (!name.isEmpty() && matches(glob, tail(name)));
    }
    if (name.isEmpty()) {
      return false;
    }
    String first = name.substring(0, name.offsetByCodePoints(0, 1));
    if (glob.startsWith("?")) {
      return matches(glob.substring(1), tail(name));
    } else if (glob.startsWith("[ab]")) {
      return (first.equals("a") || first.equals("b")) && matches(glob.substring(4), tail(name));
    } else if (glob.startsWith("[!a]")) {
      return !first.equals("a") && matches(glob.substring(4), tail(name));
    }
    String literal = glob.startsWith("\\") ? glob.substring(1) : glob;
    return literal.startsWith(first) && matches(tail(literal), tail(name));
  }

  private static String tail(String text) {
    return text.substring(text.offsetByCodePoints(0, 1));
  }
}
