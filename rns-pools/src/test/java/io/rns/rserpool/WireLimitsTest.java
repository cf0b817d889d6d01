package io.rns.rserpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.rserpool.AsapMessage.Cookie;
import java.util.List;
import org.junit.jupiter.api.Test;

class WireLimitsTest {
  private static Cookie cookie(int bytes) {
    return new Cookie(Octets.of(new byte[bytes]));
  }

  @Test
  void messagesFillTheirLengthField() {
    int most = WireLimits.MESSAGE_BYTES - 8;
    for (int bytes = most - 1; bytes <= most; bytes++) {
      byte[] encoded = AsapCodec.encode(cookie(bytes));
      assertThat(encoded).hasSize(0x1_0000);
      assertThat(AsapCodec.decode(encoded)).isEqualTo(new Decoded.Understood<>(cookie(bytes), List.of()));
    }
    assertThatExceptionOfType(RnsException.class)
        .isThrownBy(() -> AsapCodec.encode(cookie(most + 1)))
        .withMessageContaining("65536")
        .withMessageContaining("65535")
        .satisfies(e -> assertThat(e.error()).isEqualTo(RnsError.LIMIT_EXCEEDED));
    assertThatExceptionOfType(RnsException.class)
        .isThrownBy(
            () -> EnrpCodec.encode(
                new EnrpMessage.ErrorReport(1, 2, List.of(new ErrorCause(1, Octets.of(new byte[70_000]))))));
  }

  @Test
  void causeTextsAreCut() {
    for (int length = WireLimits.CAUSE_TEXT_BYTES - 1; length <= WireLimits.CAUSE_TEXT_BYTES + 1; length++) {
      assertThat(ErrorCause.of(0, "x".repeat(length)).information().length())
          .isEqualTo(Math.min(length, WireLimits.CAUSE_TEXT_BYTES));
    }
  }

  @Test
  void valuesCheckTheirRange() {
    assertThatExceptionOfType(RnsException.class).isThrownBy(() -> new IpAddress(Octets.of(new byte[5])));
    assertThatExceptionOfType(RnsException.class).isThrownBy(() -> new Transport.Udp(65_536, Vectors.V4));
    assertThatExceptionOfType(RnsException.class)
        .isThrownBy(() -> new Transport.Tcp(-1, TransportUse.DATA_ONLY, Vectors.V4));
    assertThatExceptionOfType(RnsException.class)
        .isThrownBy(() -> new Transport.Sctp(1, TransportUse.DATA_ONLY, List.of()));
  }

  @Test
  void octetsAreValues() {
    byte[] bytes = {1, 2};
    Octets octets = Octets.of(bytes);
    bytes[0] = 9;
    octets.toBytes()[1] = 9;
    assertThat(octets).isEqualTo(Octets.of(Vectors.bytes("0102"))).hasToString("0102");
    assertThat(Octets.of(new byte[65])).asString().hasSize(128 + "... (65 bytes)".length()).endsWith("... (65 bytes)");
  }
}
