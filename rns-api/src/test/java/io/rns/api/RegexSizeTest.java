package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegexSizeTest {
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "'' => 0",
        "abc => 3",
        "a{3} => 3",
        "ab{3} => 4",
        "a{2,5} => 5",
        "a{3,} => 4",
        "(ab){3} => 9",
        "((a{3}){3}) => 13",
        "[abc]{4} => 4",
        "[]a{9}]{2} => 2",
        "[^]a{9}]{2} => 2",
        "[[:alpha:]]{3} => 3",
        "[\\]a]{3} => 3",
        "\\pL{3} => 3",
        "\\p{Greek}{3} => 3",
        "\\x{1000}{3} => 3",
        "\\{3} => 3",
        "a\\{{3} => 4",
        "a{,3} => 5",
        "a{x} => 4",
        "a*{3} => 6",
        "(a+){3} => 9",
        "a|b{3} => 5",
        "\\Q(((\\E{3} => 6",
        "\\Q[\\E(a{5}){5} => 32",
        "(((a{1000}){1000}){1000}){1000} => 2147483647",
        "(a{5} => 6",
        "a{5}) => 5"
      })
  void countsRepetitionsWrittenOut(String regex, long size) {
    assertThat(RegexSize.of(regex)).isEqualTo(size);
  }

  /** A regular expression and its repetitions written out by hand. */
  record Sample(String regex, String writtenOut) {}

  @Provide
  Arbitrary<Sample> samples() {
    Arbitrary<Sample> atoms = Arbitraries.of("a", ".", "[ab]", "[^]{9}]", "\\d", "\\pL", "\\{").map(a -> new Sample(a, "x"));
    return Arbitraries.recursive(() -> atoms, this::larger, 0, 4);
  }

  private Arbitrary<Sample> larger(Arbitrary<Sample> inner) {
    Arbitrary<Sample> repeated =
        Combinators.combine(inner, Arbitraries.integers().between(1, 9))
            .as((s, n) -> new Sample("(" + s.regex() + "){" + n + "}", ("(" + s.writtenOut()).repeat(n)));
    Arbitrary<Sample> joined =
        Combinators.combine(inner, inner).as((a, b) -> new Sample(a.regex() + b.regex(), a.writtenOut() + b.writtenOut()));
    return Arbitraries.oneOf(repeated, joined);
  }

  @Property
  void isNeverLessThanTheTruth(@ForAll("samples") Sample sample) {
    assertThat(RegexSize.of(sample.regex())).isGreaterThanOrEqualTo(sample.writtenOut().length());
  }
}
