package io.rns.handlespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Two registrars without a network between them. */
class SynchronisationTest {
  private static final int ONE = 1;
  private static final int TWO = 2;
  private static final RnsPath HANDLE = RnsPath.parse("/p");

  private final Handlespace one = handlespace(ONE);
  private final Handlespace two = handlespace(TWO);

  private static Handlespace handlespace(int self) {
    return new Handlespace(self, 0, HandlespaceSettings.DEFAULTS, new SplittableRandom(self));
  }

  private static Registration element(int id, long load) {
    List<EndpointReference> endpoints = List.of(EndpointReference.ofAddress("http://h/" + id));
    return new Registration(id, endpoints, Parameters.PLAIN.withLoad(load), 60_000);
  }

  private void register(Handlespace at, int id, long load) {
    at.register(HANDLE, PolicyType.LEAST_USED, element(id, load), 0);
  }

  private static void copy(Handlespace from, int home, Handlespace to) {
    Optional<ElementKey> after = Optional.empty();
    TablePage page;
    do {
      page = from.synchronisation().tableOf(home, after, 2);
      for (TableEntry entry : page.entries()) {
        to.apply(entry, 0);
        after = Optional.of(entry.key());
      }
    } while (page.more());
  }

  @Test
  void aLostReRegistrationIsDetected() {
    register(one, 1, 10);
    copy(one, ONE, two);
    Checksum before = two.synchronisation().checksum(ONE);
    assertThat(before).isEqualTo(one.synchronisation().checksum(ONE)).isNotEqualTo(Checksum.NONE);
    register(one, 1, 20);
    assertThat(one.synchronisation().checksum(ONE).internet()).as("the elements are the same")
        .isEqualTo(before.internet());
    assertThat(one.synchronisation().checksum(ONE).versions()).isNotEqualTo(before.versions());
    copy(one, ONE, two);
    assertThat(two.synchronisation().checksum(ONE)).isEqualTo(one.synchronisation().checksum(ONE));
  }

  @Test
  void anAuditRemovesOnlyMissingElements() {
    for (int id = 1; id <= 7; id++) {
      register(one, id, id);
    }
    register(two, 100, 0);
    copy(one, ONE, two);
    one.deregister(new ElementKey(HANDLE, 3), 0);
    one.deregister(new ElementKey(HANDLE, 7), 0);

    Synchronisation audited = two.synchronisation();
    long audit = audited.beginAudit();
    copy(one, ONE, two);
    Optional<ElementKey> resume = Optional.empty();
    int removed = 0;
    do {
      PurgeStep step = audited.purge(ONE, audit, resume, 2);
      removed += step.removed().size();
      resume = step.resume();
    } while (resume.isPresent());
    assertThat(removed).isEqualTo(2);
    assertThat(audited.checksum(ONE)).isEqualTo(one.synchronisation().checksum(ONE));
    assertThat(two.element(new ElementKey(HANDLE, 100))).isPresent();
    assertThat(two.size()).isEqualTo(6);
    two.checkInvariants();
  }

  @Test
  void elementsAddedDuringAnAuditStay() {
    long audit = one.synchronisation().beginAudit();
    register(one, 1, 0);
    assertThat(one.synchronisation().purge(ONE, audit, Optional.empty(), 9))
        .isEqualTo(new PurgeStep(List.of(), Optional.empty()));
  }

  /** They were removed until the next audit. */
  @Test
  void elementsMovedByATakeoverDuringAnAuditStay() {
    register(one, 1, 0);
    copy(one, ONE, two);
    long audit = two.synchronisation().beginAudit();
    two.synchronisation().takeOver(ONE, 3, 9, 50);
    assertThat(two.synchronisation().purge(3, audit, Optional.empty(), 9).removed()).isEmpty();
    assertThat(two.synchronisation().homes()).containsExactly(3);
  }

  @Test
  void theSurvivorTakesOverAndSendsKeepAlivesAtOnce() {
    for (int id = 1; id <= 5; id++) {
      register(one, id, id);
    }
    Handlespace three = handlespace(3);
    copy(one, ONE, two);
    copy(one, ONE, three);
    assertThat(two.synchronisation().takeOver(ONE, TWO, 3, 50)).satisfies(p -> assertThat(p.more()).isTrue());
    assertThat(two.synchronisation().takeOver(ONE, TWO, 3, 50)).satisfies(p -> assertThat(p.entries()).hasSize(2));
    three.synchronisation().takeOver(ONE, TWO, 9, 50);
    assertThat(two.synchronisation().homes()).containsExactly(TWO);
    assertThat(three.synchronisation().checksum(TWO)).isEqualTo(two.synchronisation().checksum(TWO));
    assertThat(two.run(50, 9)).hasSize(5).allSatisfy(e -> assertThat(e).isInstanceOf(TimerEvent.KeepAliveDue.class));
    assertThat(three.run(50, 9)).isEmpty();
    assertThat(three.nextTimerMillis()).hasValue(60_000);
  }

  @Test
  void aRegistrarThatLosesItsElementsStopsKeepAlives() {
    register(one, 1, 0);
    one.synchronisation().takeOver(ONE, TWO, 9, 10);
    assertThat(one.nextTimerMillis()).hasValue(60_000);
    assertThatExceptionOfType(RnsException.class).isThrownBy(() -> one.synchronisation().takeOver(ONE, ONE, 9, 10));
    assertThatExceptionOfType(RnsException.class).isThrownBy(() -> one.synchronisation().takeOver(ONE, 0, 9, 10));
  }

  /** RFC 1071 by hand: 2f70 + 0 + 1234 + 5678 = 981c; its complement is 67e3. */
  @Test
  void theChecksumOfTheStandardIsInNetworkOrder() {
    register(one, 0x1234_5678, 0);
    assertThat(one.synchronisation().checksum(ONE).internet()).isEqualTo(0x67e3);
    assertThat(one.synchronisation().checksum(TWO)).isEqualTo(Checksum.NONE);
  }
}
