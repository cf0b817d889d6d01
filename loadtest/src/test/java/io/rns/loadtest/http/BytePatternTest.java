package io.rns.loadtest.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RandomCases;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class BytePatternTest {
  @Test
  void findsWhatStringsFind() {
    List<String> letters = List.of("a", "b", "c");
    RandomCases.check(
        random -> {
          String text = RandomCases.joined(random, 0, 40, letters);
          String wanted = RandomCases.joined(random, 1, 5, letters);
          byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
          assertThat(BytePattern.of(wanted).find(bytes, 0, bytes.length)).as("%s in %s", wanted, text)
              .isEqualTo(text.indexOf(wanted));
        });
  }

  @Test
  void staysWithinTheRange() {
    byte[] bytes = "abcabc".getBytes(StandardCharsets.UTF_8);
    BytePattern pattern = BytePattern.of("bc");
    assertThat(pattern.find(bytes, 2, 6)).isEqualTo(4);
    assertThat(pattern.find(bytes, 2, 5)).isEqualTo(-1);
  }
}
