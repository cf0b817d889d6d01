package io.rns.rserpool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Bit-exact in both directions. */
class VectorsTest {
  private static <M> void check(Map<M, String> vectors, Function<M, byte[]> encode,
      Function<byte[], Decoded<M>> decode) {
    vectors.forEach(
        (message, hex) -> {
          byte[] bytes = Vectors.bytes(hex);
          assertThat(HexFormat.of().formatHex(encode.apply(message)))
              .as("%s", message)
              .isEqualTo(HexFormat.of().formatHex(bytes));
          assertThat(decode.apply(bytes)).isEqualTo(new Decoded.Understood<>(message, List.of()));
          int length = (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
          assertThat(decode.apply(Arrays.copyOf(bytes, length)))
              .as("without trailing padding")
              .isEqualTo(decode.apply(bytes));
        });
    long kinds = vectors.keySet().stream().map(Object::getClass).distinct().count();
    Class<?> all = vectors.keySet().iterator().next().getClass().getDeclaringClass();
    assertThat(kinds).isEqualTo(all.getPermittedSubclasses().length);
  }

  @Test
  void asap() {
    check(Vectors.asap(), AsapCodec::encode, AsapCodec::decode);
  }

  @Test
  void enrp() {
    check(Vectors.enrp(), EnrpCodec::encode, EnrpCodec::decode);
  }

  /** Some implementations count the padding of the last parameter. */
  @Test
  void lengthsMayCountTrailingPadding() {
    assertThat(AsapCodec.decode(Vectors.bytes("0500 000c 0009 0006 2f70 0000")))
        .isEqualTo(AsapCodec.decode(Vectors.bytes("0500 000a 0009 0006 2f70 0000")))
        .isInstanceOf(Decoded.Understood.class);
  }

  @Test
  void reservedBitsAreIgnored() {
    assertThat(AsapCodec.decode(Vectors.bytes("05fe 000a 0009 0006 2f70 0000")))
        .isEqualTo(new Decoded.Understood<>(new AsapMessage.HandleResolution(false, Vectors.HANDLE), List.of()));
    assertThat(EnrpCodec.decode(Vectors.bytes("03fc 000c 0000 0001 0000 0002")))
        .isEqualTo(
            new Decoded.Understood<>(
                new EnrpMessage.HandleTableResponse(1, 2, false, false, List.of(), Optional.empty()), List.of()));
  }
}
