package io.rns.rserpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RandomCases;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Encoded messages decode to themselves; any other bytes decode to a message or are rejected. */
class RandomMessagesTest {
  @Test
  void messagesSurviveARoundTrip() {
    RandomCases.check(
        random -> {
          RandomMessages messages = new RandomMessages(random);
          AsapMessage asap = messages.asap();
          byte[] bytes = AsapCodec.encode(asap);
          assertThat(bytes.length % 4).isZero();
          assertThat(AsapCodec.decode(bytes)).isEqualTo(new Decoded.Understood<>(asap, List.of()));
          EnrpMessage enrp = messages.enrp();
          assertThat(EnrpCodec.decode(EnrpCodec.encode(enrp))).isEqualTo(new Decoded.Understood<>(enrp, List.of()));
        });
  }

  /** Truncation is detected everywhere except in trailing padding. */
  @Test
  void truncatedMessagesAreRejected() {
    Vectors.asap()
        .forEach(
            (message, hex) -> {
              byte[] bytes = Vectors.bytes(hex);
              int length = (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
              for (int cut = 0; cut < length; cut++) {
                assertThat(AsapCodec.decode(Arrays.copyOf(bytes, cut))).isInstanceOf(Decoded.Malformed.class);
                // With an adjusted header, the rest may be a complete shorter message.
                byte[] honest = Arrays.copyOf(bytes, cut);
                if (cut >= WireLimits.HEADER_BYTES) {
                  honest[2] = (byte) (cut >>> 8);
                  honest[3] = (byte) cut;
                  assertThat(AsapCodec.decode(honest)).isNotEqualTo(new Decoded.Understood<>(message, List.of()));
                }
              }
            });
  }

  @Test
  void randomBytesAreAMessageOrRejected() {
    RandomCases.check(
        random -> {
          RandomMessages messages = new RandomMessages(random);
          byte[] bytes = random.nextBoolean() ? AsapCodec.encode(messages.asap()) : EnrpCodec.encode(messages.enrp());
          for (int i = 0; i < 50; i++) {
            byte[] mutated = mutated(bytes, random);
            if (AsapCodec.decode(mutated) instanceof Decoded.Understood<AsapMessage> understood) {
              stays(understood.message());
            }
            if (EnrpCodec.decode(mutated) instanceof Decoded.Understood<EnrpMessage> understood) {
              stays(understood.message());
            }
          }
        });
  }

  /** A decoded message can be encoded. */
  private static void stays(Message message) {
    switch (message) {
      case AsapMessage asap ->
        assertThat(AsapCodec.decode(AsapCodec.encode(asap))).isEqualTo(new Decoded.Understood<>(asap, List.of()));
      case EnrpMessage enrp ->
        assertThat(EnrpCodec.decode(EnrpCodec.encode(enrp))).isEqualTo(new Decoded.Understood<>(enrp, List.of()));
    }
  }

  private static byte[] mutated(byte[] bytes, RandomGenerator random) {
    byte[] mutated = random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 8)) : bytes.clone();
    if (mutated.length == 0) {
      return mutated;
    }
    for (int left = 1 + random.nextInt(4); left > 0; left--) {
      int at = random.nextInt(mutated.length);
      mutated[at] =
          switch (random.nextInt(4)) {
            case 0 -> (byte) random.nextInt();
            case 1 -> (byte) (mutated[at] ^ 1 << random.nextInt(8));
            case 2 -> (byte) (mutated[at] + random.nextInt(9) - 4);
            default -> (byte) (random.nextBoolean() ? 0 : 0xff);
          };
    }
    return mutated;
  }
}
