package io.rns.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegexSizeTest {
  @ParameterizedTest
  @CsvSource(delimiterString = " => ", value = {
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
  void countsExpandedRepetitions(String regex, long size) {
    assertThat(RegexSize.of(regex)).isEqualTo(size);
  }

  /** A regular expression and its expansion by hand. */
  record Sample(String regex, String writtenOut) {}

  private static final List<String> ATOMS = List.of("a", ".", "[ab]", "[^]{9}]", "\\d", "\\pL", "\\{");

  private static Sample sample(RandomGenerator random, long levels) {
    if (levels == 0) {
      return new Sample(RandomCases.one(random, ATOMS), "x");
    }
    Sample inner = sample(random, levels - 1);
    if (random.nextBoolean()) {
      int times = (int) RandomCases.between(random, 1, 9);
      return new Sample("(" + inner.regex() + "){" + times + "}", ("(" + inner.writtenOut()).repeat(times));
    }
    Sample second = sample(random, levels - 1);
    return new Sample(inner.regex() + second.regex(), inner.writtenOut() + second.writtenOut());
  }

  @Test
  void isNeverUnderestimated() {
    RandomCases.check(
        random -> {
          Sample sample = sample(random, RandomCases.between(random, 0, 4));

          assertThat(RegexSize.of(sample.regex())).as(sample.regex())
              .isGreaterThanOrEqualTo(sample.writtenOut().length());
        });
  }
}
