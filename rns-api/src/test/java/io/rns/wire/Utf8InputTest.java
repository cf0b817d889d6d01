package io.rns.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.xml.XmlPull;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The message reader accepts exactly the UTF-8 that the platform's strict decoder accepts. */
class Utf8InputTest {
  private static final int ROUNDS = 20_000;
  private static final int[] EDGES =
      {0x41, 0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xa0, 0x9f, 0x90, 0x8f};

  @Test
  void agreesWithTheStrictDecoder() {
    Random random = new Random(1);
    for (int round = 0; round < ROUNDS; round++) {
      byte[] text = new byte[1 + random.nextInt(12)];
      for (int i = 0; i < text.length; i++) {
        text[i] = (byte) EDGES[random.nextInt(EDGES.length)];
      }
      ByteBuffer message = ByteBuffer.allocate(text.length + 7);
      message.put("<a>".getBytes(StandardCharsets.UTF_8)).put(text).put("</a>".getBytes(StandardCharsets.UTF_8));
      assertThat(isTakenForUtf8(message.array())).as("bytes %s", message).isEqualTo(decodes(message.array()));
    }
  }

  private static boolean decodes(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static boolean isTakenForUtf8(byte[] bytes) {
    try (XmlPull pull = XmlPull.document(bytes, bytes.length)) {
      return pull.depth() == 1;
    } catch (RnsException e) {
      assertThat(e.error()).isEqualTo(RnsError.MALFORMED_MESSAGE);
      return !e.getMessage().contains("is not UTF-8");
    }
  }
}
