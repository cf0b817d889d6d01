package io.rns.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Hop;
import io.rns.api.HopStep;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrontReportTest {
  @ParameterizedTest
  @EnumSource
  void whatIsWrittenIsRead(HopStep.Finding finding) {
    HopStep.Passed passed = new HopStep.Passed("http://h/r", "best of 2 servers: ü; 1 %\r\nRNS-Origin: x");
    String text = FrontReport.text("front 1", 7, finding, passed);
    assertThat(text).matches("[!-~]+( [!-~]+){4}");
    assertThat(FrontReport.read(text, 3)).contains(
        new Hop.Answered(
            new Hop.Self("front 1", 3, Hop.FRONT, Optional.empty()), Optional.empty(), 7,
            List.of(new HopStep.Cache(finding), passed)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a 1 HELD u r more", "a x HELD u r", "a 1 LATER u r", "a 1 HELD %zz r"})
  void anythingElseIsNone(String text) {
    assertThat(FrontReport.read(text, 0)).isEmpty();
  }

  @Test
  void aLongReasonIsShortened() {
    HopStep.Passed passed = new HopStep.Passed("u".repeat(10_000), "r".repeat(10_000));
    assertThat(FrontReport.text("a", 1, HopStep.Finding.OFF, passed).length()).isLessThan(1_000);
  }
}
