package io.rns.rserpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.rserpool.Decoded.Dropped;
import io.rns.rserpool.Decoded.DroppedAndReported;
import io.rns.rserpool.Decoded.Malformed;
import io.rns.rserpool.Decoded.Understood;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The two top bits of an unknown type decide its treatment (RFC 5354, sections 2.1 and 2.2). */
class UnknownTypesTest {
  private static final String HANDLE = "0009 0006 2f70 0000";
  private static final AsapMessage RESOLUTION = new AsapMessage.HandleResolution(false, Vectors.HANDLE);

  private static Decoded<AsapMessage> asap(String hex) {
    return AsapCodec.decode(Vectors.bytes(hex));
  }

  private static ErrorCause unrecognised(String hex) {
    return new ErrorCause(ErrorCause.UNRECOGNISED_PARAMETER, Octets.of(Vectors.bytes(hex)));
  }

  @Test
  void unknownParametersStopOrAreSkippedWithAndWithoutReport() {
    assertThat(asap("0500 0014" + HANDLE + "3fff 0005 aa00 0000")).isInstanceOf(Dropped.class);
    assertThat(asap("0500 0014" + HANDLE + "7fff 0005 aa00 0000"))
        .isInstanceOfSatisfying(
            DroppedAndReported.class, d -> assertThat(d.cause()).isEqualTo(unrecognised("7fff 0005 aa")));
    assertThat(asap("0500 0014" + HANDLE + "bfff 0005 aa00 0000")).isEqualTo(new Understood<>(RESOLUTION, List.of()));
    assertThat(asap("0500 0014" + HANDLE + "ffff 0005 aa00 0000"))
        .isEqualTo(new Understood<>(RESOLUTION, List.of(unrecognised("ffff 0005 aa"))));
    assertThat(asap("0500 0014 bfff 0005 aa00 0000" + HANDLE))
        .as("before the known parameter")
        .isEqualTo(new Understood<>(RESOLUTION, List.of()));
  }

  @Test
  void nestedParametersAreTreatedAlike() {
    String element =
        "1234 5678 cafe 0001 0000 001e 0005 0010 0050 0000 0001 0008 7f00 0001 0008 0008 0000 0001";
    AsapMessage registration = new AsapMessage.Registration(Vectors.HANDLE, Vectors.PLAIN);
    assertThat(asap("0100 0038" + HANDLE + "000a 002c" + element + "9000 0004"))
        .isEqualTo(new Understood<>(registration, List.of()));
    assertThat(asap("0100 0038" + HANDLE + "000a 002c" + element + "d000 0004"))
        .isEqualTo(new Understood<>(registration, List.of(unrecognised("d000 0004"))));
    assertThat(asap("0100 0038" + HANDLE + "000a 002c" + element + "1000 0004")).isInstanceOf(Dropped.class);
    assertThat(asap("0100 0038" + HANDLE + "000a 002c" + element + "5000 0004")).isInstanceOf(DroppedAndReported.class);
  }

  /** Our extensions must be skipped by other implementations: 10. */
  @Test
  void extensionParametersAreSkippedByOthers() {
    for (int type = ParameterType.ELEMENT_VERSION; type <= ParameterType.SERVICE_ADDRESS; type++) {
      assertThat(type >>> 14).isEqualTo(2);
      assertThat(ParameterType.isKnown(type)).isTrue();
    }
    assertThat(ParameterType.isKnown(ParameterType.ELEMENT_VERSION - 1)).isFalse();
    assertThat(ParameterType.isKnown(ParameterType.SERVICE_ADDRESS + 1)).isFalse();
    assertThat(ParameterType.isKnown(0)).isFalse();
    assertThat(ParameterType.isKnown(0x11)).isFalse();
  }

  @Test
  void reportsAreLimited() {
    String longOne = "ffff 0200" + "ab".repeat(508);
    String shown = longOne.replace(" ", "").substring(0, 2 * WireLimits.REPORT_BYTES);
    assertThat(asap("0500 020c" + HANDLE + longOne))
        .isEqualTo(new Understood<>(RESOLUTION, List.of(unrecognised(shown))));
    for (int count = WireLimits.REPORTS - 1; count <= WireLimits.REPORTS + 1; count++) {
      String hex = "0500 00" + Integer.toHexString(12 + 4 * count) + HANDLE + "ffff 0004".repeat(count);
      List<ErrorCause> expected = Collections.nCopies(Math.min(count, WireLimits.REPORTS), unrecognised("ffff 0004"));
      assertThat(asap(hex)).isEqualTo(new Understood<>(RESOLUTION, expected));
    }
  }

  @Test
  void messagesAreDroppedWithAndWithoutReport() {
    assertThat(asap("0f00 0004")).isInstanceOf(Dropped.class);
    assertThat(asap("0000 0004")).isInstanceOf(Dropped.class);
    assertThat(asap("3f00 0004")).isInstanceOf(Dropped.class);
    assertThat(asap("4f00 0006 abcd"))
        .isInstanceOfSatisfying(
            DroppedAndReported.class,
            d -> assertThat(d.cause()).isEqualTo(new ErrorCause(2, Octets.of(Vectors.bytes("4f000006abcd")))));
    assertThat(asap("8f00 0004")).isInstanceOf(Dropped.class);
    assertThat(asap("ff00 0004")).isInstanceOf(Dropped.class);
    assertThat(EnrpCodec.decode(Vectors.bytes("0b00 000c 0000 0001 0000 0002"))).isInstanceOf(Dropped.class);
    assertThat(EnrpCodec.decode(Vectors.bytes("4100 000c 0000 0001 0000 0002"))).isInstanceOf(DroppedAndReported.class);
  }

  @Test
  void misplacedParametersAreRejected() {
    for (String hex : List.of(
        "0500 0004",
        "0500 0012" + HANDLE + HANDLE,
        "0500 0014 000e 0008 1234 5678" + HANDLE,
        "0200 000c 000e 0008 1234 5678",
        "0e00 0004",
        "0e00 0008 000c 0004",
        "0200 0018" + HANDLE + "000e 000c 1234 5678 0000 0000",
        "0200 0014" + HANDLE + "000e 0003 1234 5678",
        "0a00 0018 0000 0001 0005 0010 0050 0002 0001 0008 7f00 0001",
        "0a00 0020 0000 0001 0005 0018 0050 0000 0001 0008 7f00 0001 0001 0008 7f00 0001",
        "0a00 0010 0000 0001 0004 0008 0050 0000",
        "0a00 0014 0000 0001 0005 000c 0050 0000 0001 0004")) {
      assertThat(asap(hex)).as(hex).isInstanceOf(Malformed.class);
    }
    assertThat(EnrpCodec.decode(Vectors.bytes("0400 0010 0000 0001 0000 0000 0002 0000")))
        .isInstanceOf(Malformed.class);
    assertThat(EnrpCodec.decode(Vectors.bytes("0700 000c 0000 0001 0000 0000"))).isInstanceOf(Malformed.class);
    assertThat(EnrpCodec.decode(Vectors.bytes("0100 000c 0000 0001 0000 0000"))).isInstanceOf(Malformed.class);
    assertThat(EnrpCodec.decode(Vectors.bytes("2b00 0014 0000 0001 0000 0000" + HANDLE)))
        .as("a pool without reports").isInstanceOf(Malformed.class);
  }

  @Test
  void invalidValuesAreRejected() {
    String transport = "0005 0010 0050 0000 0001 0008 7f00 0001";
    String policy = "0008 0008 0000 0001";
    String good = "0100 0034" + HANDLE + "000a 0028 0000 0001 0000 0000 0000 0000";
    assertThat(asap(good + transport + policy)).isInstanceOf(Understood.class);
    assertThat(asap(good.replace("0000 0001", "0000 0000") + transport + policy)).as("id 0")
        .isInstanceOf(Malformed.class);
    String life = "0100 0034" + HANDLE + "000a 0028 0000 0001 0000 0000 ffff fffe";
    assertThat(asap(life + transport + policy)).as("lifetime of -2 s").isInstanceOf(Malformed.class);
    String more = "0100 0040" + HANDLE + "000a 0034 0000 0001 0000 0000 0000 0000" + transport + policy;
    assertThat(asap(more + "a521 000c 7fff ffff ffff ffff")).isInstanceOf(Understood.class);
    String report = "2b00 0028 0000 0001 0000 0000" + HANDLE + "a527 0014 0000 0001 0000 0000 0000 0002 ";
    assertThat(EnrpCodec.decode(Vectors.bytes(report + "0036 ee80"))).as("an hour").isInstanceOf(Understood.class);
    assertThat(EnrpCodec.decode(Vectors.bytes(report + "0036 ee81"))).as("more").isInstanceOf(Malformed.class);
    assertThat(asap(more + "a521 000c 8000 0000 0000 0000")).as("version").isInstanceOf(Malformed.class);
  }
}
