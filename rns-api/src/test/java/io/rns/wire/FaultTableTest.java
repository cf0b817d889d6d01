package io.rns.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.api.Refusal;
import io.rns.api.Refusal.Invalid;
import io.rns.api.RnsPath;
import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.wire.rns.EntryOperations;
import io.rns.wire.rns.EntryRequest;
import io.rns.xml.XmlBuffer;
import io.rns.xml.XmlPull;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every error has an element in every table and survives the round trip. */
class FaultTableTest {
  private static final Refusal FORBIDDEN = new Invalid(Target.of("/d/a"), RnsError.NOT_PERMITTED, "permission denied");
  private static final Refusal BAD_NAME = new Invalid(Target.of("/d"), RnsError.INVALID_NAME, "no name");

  @Test
  void faultsSurviveTheRoundTrip() {
    for (FaultTable table : FaultTable.values()) {
      for (RnsError error : RnsError.values()) {
        Fault fault = Fault.of(new RnsException(error, "because"), RnsPath.parse("/a/b")).in(table);
        XmlBuffer out = new XmlBuffer(16);
        Faults.writeDetail(out, fault, true, Instant.EPOCH);
        try (XmlPull pull = XmlPull.document(out.toString())) {
          assertThat(pull.localName()).as("%s in %s", error, table).contains("Fault");
          assertThat(pull.namespace().equals(Namespaces.RNS)).isEqualTo(pull.localName().endsWith("FaultType"));
          assertThat(Faults.readDetail(pull)).isEqualTo(fault.in(FaultTable.RNS_1_0));
        }
      }
    }
  }

  private static String element(RnsError error, FaultTable table) {
    return table.element(Fault.of(new RnsException(error, ""), RnsPath.ROOT)).qualified();
  }

  @Test
  void specificationsDefineTheirOwnFaults() {
    assertThat(element(RnsError.NOT_PERMITTED, FaultTable.READ)).isEqualTo("_n:ReadNotPermittedFault");
    assertThat(element(RnsError.NOT_PERMITTED, FaultTable.WRITE)).isEqualTo("_n:WriteNotPermittedFault");
    assertThat(element(RnsError.NO_SUCH_ENTRY, FaultTable.WRITE)).isEqualTo("_f:ResourceUnknownFault");
    assertThat(element(RnsError.BUSY, FaultTable.DESTROY)).isEqualTo("_f:ResourceUnavailableFault");
    assertThat(element(RnsError.INVALID_REQUEST, FaultTable.PROPERTIES))
        .isEqualTo("_p:InvalidResourcePropertyQNameFault");
    assertThat(element(RnsError.NOT_EMPTY, FaultTable.DESTROY)).isEqualTo("_l:ResourceNotDestroyedFault");
    assertThat(element(RnsError.NO_SUCH_ENTRY, FaultTable.RESOLVE)).isEqualTo("_w:ResolveFailedFault");
    assertThat(element(RnsError.LIMIT_EXCEEDED, FaultTable.READ)).isEqualTo("_b:BaseFault");
  }

  private static EntryRequest<?> request(int items) {
    List<Outcome<Target>> asked = new ArrayList<>();
    for (int i = 0; i < items; i++) {
      asked.add(Outcome.done(Target.of("/d/a")));
    }
    return new EntryRequest<>(EntryOperations.LOOKUP_11, asked, BatchOptions.NONE, true, List.of());
  }

  @Test
  void deniedAccessToTheDirectoryIsAFaultOfTheWholeBatch() {
    Outcome<Entry> forbidden = Outcome.refused(FORBIDDEN);
    Outcome<Entry> bad = Outcome.refused(BAD_NAME);
    Outcome<Entry> done = Outcome.done(new WireValues(1).entry());
    assertThat(request(2).refusalOfAll(List.of(forbidden, forbidden))).isEqualTo(FORBIDDEN);
    assertThat(request(2).refusalOfAll(List.of(forbidden, bad))).isNull();
    assertThat(request(2).refusalOfAll(List.of(forbidden, done))).isNull();
    assertThat(request(1).refusalOfAll(List.of(bad))).isNull();
  }
}
