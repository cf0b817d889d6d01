package io.rns.loadtest.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class BytePatternTest {
  @Property
  void findsWhatStringsFind(
      @ForAll @CharRange(from = 'a', to = 'c') @StringLength(max = 40) String text,
      @ForAll @CharRange(from = 'a', to = 'c') @StringLength(min = 1, max = 5) String wanted) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    assertThat(BytePattern.of(wanted).find(bytes, 0, bytes.length)).isEqualTo(text.indexOf(wanted));
  }

  @Test
  void staysWithinTheRange() {
    byte[] bytes = "abcabc".getBytes(StandardCharsets.UTF_8);
    BytePattern pattern = BytePattern.of("bc");
    assertThat(pattern.find(bytes, 2, 6)).isEqualTo(4);
    assertThat(pattern.find(bytes, 2, 5)).isEqualTo(-1);
  }

  @Test
  void findsAllWithoutOverlaps() {
    assertThat(BytePattern.of("aa").findAll("aaabaa".getBytes(StandardCharsets.UTF_8))).containsExactly(0, 4);
  }
}
