package io.rns.rserpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rns.api.RandomCases;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
  private static List<byte[]> accept(FrameReader reader, String hex) {
    byte[] bytes = Vectors.bytes(hex);
    return reader.accept(bytes, 0, bytes.length);
  }

  @Test
  void aStreamIsSplitIntoMessagesWhateverTheChunks() {
    RandomCases.check(
        random -> {
          RandomMessages messages = new RandomMessages(random);
          List<AsapMessage> sent = new ArrayList<>();
          ByteArrayOutputStream stream = new ByteArrayOutputStream();
          for (int left = random.nextInt(5); left > 0; left--) {
            AsapMessage message = messages.asap();
            sent.add(message);
            stream.writeBytes(AsapCodec.encode(message));
          }
          byte[] bytes = stream.toByteArray();
          FrameReader reader = new FrameReader(WireLimits.MESSAGE_BYTES);
          List<Decoded<AsapMessage>> received = new ArrayList<>();
          for (int at = 0; at < bytes.length;) {
            int to = Math.min(bytes.length, at + 1 + random.nextInt(random.nextBoolean() ? 3 : 200));
            reader.accept(bytes, at, to).forEach(frame -> received.add(AsapCodec.decode(frame)));
            at = to;
          }
          assertThat(received)
              .isEqualTo(sent.stream().map(m -> new Decoded.Understood<>(m, List.of())).toList());
        });
  }

  @Test
  void messageLengthIsLimited() {
    for (int length = 15; length <= 17; length++) {
      FrameReader reader = new FrameReader(16);
      String hex = "0500 00" + Integer.toHexString(0x100 + length).substring(1) + "00".repeat(length - 4);
      if (length <= 16) {
        assertThat(accept(reader, hex)).hasSize(1).first().satisfies(m -> assertThat(m).isEqualTo(Vectors.bytes(hex)));
      } else {
        assertThatExceptionOfType(RnsException.class)
            .isThrownBy(() -> accept(reader, hex))
            .withMessageContaining("17")
            .satisfies(e -> assertThat(e.error()).isEqualTo(RnsError.LIMIT_EXCEEDED));
      }
    }
    assertThatExceptionOfType(RnsException.class).isThrownBy(() -> new FrameReader(3));
    assertThatExceptionOfType(RnsException.class).isThrownBy(() -> new FrameReader(0x1_0000));
  }

  @Test
  void aLengthBelowTheHeaderEndsTheStream() {
    assertThatExceptionOfType(RnsException.class)
        .isThrownBy(() -> accept(new FrameReader(16), "0500 0003"))
        .satisfies(e -> assertThat(e.error()).isEqualTo(RnsError.MALFORMED_MESSAGE));
    assertThat(accept(new FrameReader(16), "0500 0004")).hasSize(1);
  }

  @Test
  void incompleteMessagesAreBuffered() {
    FrameReader reader = new FrameReader(64);
    assertThat(accept(reader, "0500")).isEmpty();
    assertThat(accept(reader, "000a 0009 0006 2f")).isEmpty();
    assertThat(accept(reader, "70")).hasSize(1);
    assertThat(accept(reader, "0000 0500 0004")).hasSize(1);
  }
}
