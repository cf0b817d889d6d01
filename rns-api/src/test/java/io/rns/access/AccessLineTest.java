package io.rns.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessLineTest {
  private static final Instant TIME = Instant.parse("2026-03-04T05:06:07.080900Z");
  private static final String LETTERS = "ab/-\\\t\n\r\0\u001f\u007f\u0085\u2028 ü漢#u\ud83c\udf33";

  @Test
  void aLineHasTheColumnsInOrder() {
    AccessLine move = new AccessLine(TIME, "192.0.2.1:5000", "anna", "move", "/a b", "/c", "ok", 1_234);
    assertThat(move.toString())
        .isEqualTo("2026-03-04T05:06:07.080900Z\t192.0.2.1:5000\tanna\tmove\t/a b\t/c\tok\t1234");
    AccessLine query = new AccessLine(TIME.plusNanos(999), "s", "", "query", "/", "", "NO_SUCH_ENTRY", 0);
    assertThat(query.toString()).isEqualTo("2026-03-04T05:06:07.080900Z\ts\t-\tquery\t/\t-\tNO_SUCH_ENTRY\t0");
    assertThat(move.isOk()).isTrue();
    assertThat(query.isOk()).isFalse();
  }

  @Test
  void charactersThatBreakALineAreEscaped() {
    AccessLine line = new AccessLine(TIME, "s", "-", "add", "/a\tb\nc\rd\\e\u0001\ud83c", "\udf33-", "ok", 1);
    assertThat(line.toString())
        .isEqualTo("2026-03-04T05:06:07.080900Z\ts\t\\u002d\tadd\t/a\\tb\\nc\\rd\\\\e\\u0001\\ud83c\t\\udf33-\tok\t1");
    assertThat(AccessLine.parse(line.toString())).isEqualTo(line);
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(12);
    for (int i = 0; i < length; i++) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return text.toString();
  }

  @Test
  void anyTextSurvivesALineOfUtf8() {
    Random random = new Random(20_260_304);
    for (int i = 0; i < 20_000; i++) {
      AccessLine line =
          new AccessLine(
              TIME.plusNanos(random.nextLong(1L << 50)),
              text(random),
              text(random),
              text(random),
              text(random),
              text(random),
              text(random),
              random.nextLong());
      String read = new String(line.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
      assertThat(read.lines().count()).isEqualTo(1);
      assertThat(AccessLine.parse(read)).isEqualTo(line);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
      "2026-03-04T05:06:07Z s - add /a - ok | has 7 columns, not 8",
      "2026-03-04T05:06:07Z s - add /a - ok 1 2 | has 9 columns, not 8",
      "yesterday s - add /a - ok 1 | has an invalid time 'yesterday'",
      "2026-03-04T05:06:07Z s - add /a - ok fast | has an invalid number of microseconds 'fast'",
      "2026-03-04T05:06:07Z s - add /a\\ - ok 1 | has '/a\\' with an invalid escape",
      "2026-03-04T05:06:07Z s - add /a\\x - ok 1 | has '/a\\x' with an invalid escape",
      "2026-03-04T05:06:07Z s - add /a\\u12 - ok 1 | has '/a\\u12' with an invalid escape",
      "2026-03-04T05:06:07Z s - add /a\\u12g4 - ok 1 | has '/a\\u12g4' with an invalid escape"
  })
  void malformedLinesAreRejected(String line, String complaint) {
    assertThatThrownBy(() -> AccessLine.parse(line.replace(' ', '\t')))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(complaint);
  }
}
