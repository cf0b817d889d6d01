package io.rns.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of an overloaded server. */
class BusyFaultTest {
  private static String written(Fault fault) {
    XmlBuffer out = new XmlBuffer(1_024);
    Faults.writeDetail(out, fault, false, Instant.EPOCH);
    return out.toString();
  }

  private static RnsException read(String detail) {
    try (XmlPull pull = XmlPull.document(detail)) {
      return Objects.requireNonNull(Faults.readDetail(pull)).toException();
    }
  }

  @ParameterizedTest
  @EnumSource(FaultTable.class)
  void theRetryTimeSurvivesTheRoundTrip(FaultTable table) {
    Fault fault = Fault.of(RnsException.busy("12 at work", 345), RnsPath.parse("/a")).in(table);
    RnsException read = read(written(fault));
    assertThat(read.error()).isEqualTo(RnsError.BUSY);
    assertThat(read.retryMillis()).hasValue(345);
    assertThat(read).hasMessage("12 at work");
  }

  @Test
  void otherFaultsHaveNoRetryTime() {
    String detail = written(Fault.of(new RnsException(RnsError.BUSY, "too many wait"), RnsPath.ROOT));
    assertThat(detail).doesNotContain("retryMillis");
    assertThat(read(detail).retryMillis()).isEmpty();
  }

  @Test
  void aNegativeRetryTimeIsIgnored() {
    String detail = written(Fault.of(RnsException.busy("b", 7), RnsPath.ROOT)).replace(">7<", ">-7<");
    assertThat(detail).contains(">-7<");
    assertThat(read(detail).retryMillis()).isEmpty();
  }
}
