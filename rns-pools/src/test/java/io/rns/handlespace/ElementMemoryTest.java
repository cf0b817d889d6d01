package io.rns.handlespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ElementMemoryTest {
  private static final RnsPath HANDLE = RnsPath.parse("/a/b");
  private static final long LIMIT = 1_600_000;

  /** A sixteenth is for elements of other registrars. */
  private static final long HERE = 1_500_000;

  private final Handlespace handlespace =
      new Handlespace(1, 0, HandlespaceSettings.DEFAULTS.withBytes(LIMIT), new SplittableRandom(1));

  private int last;

  private static Registration element(int id, int length) {
    String address = "http://a/" + "x".repeat(length);
    return new Registration(id, List.of(EndpointReference.ofAddress(address)), Parameters.PLAIN, Registration.FOREVER);
  }

  private RegistrationOutcome register(int id, int length, long host) {
    return handlespace.register(HANDLE, PolicyType.ROUND_ROBIN, element(id, length), host, 0);
  }

  /** Registers until there is no room, and returns why. */
  private RegistrationOutcome.Full fill(long host) {
    while (true) {
      last++;
      if (register(last, 5_000, host) instanceof RegistrationOutcome.Full full) {
        return full;
      }
    }
  }

  @Test
  void oneHostLeavesRoomForOthers() {
    RegistrationOutcome.Full first = fill(7);
    assertThat(first.what()).isEqualTo("bytes of elements of one host");
    assertThat(first.limit()).isBetween(HERE / 4 * 3 - 5_000, HERE / 4 * 3);
    assertThat(first.value()).isBetween(first.limit() + 1, first.limit() + 25_000);
    int before = handlespace.size();
    assertThat(fill(8).what()).isEqualTo("bytes of elements of one host");
    assertThat(handlespace.size()).as("there was room for another host").isGreaterThan(before + 3);
    handlespace.checkInvariants();
  }

  @Test
  void whatHasNoHostMayTakeAllThatIsNotForOtherRegistrars() {
    RegistrationOutcome.Full full = fill(Handlespace.NOBODY);
    assertThat(full.what()).isEqualTo("bytes of elements registered here");
    assertThat(full.limit()).isEqualTo(HERE);
    TableEntry news =
        new TableEntry(HANDLE, PolicyType.ROUND_ROBIN, new RegisteredElement(element(99_999, 5_000), 2, 1));
    assertThat(handlespace.apply(news, 0)).as("of another registrar").isInstanceOf(UpdateOutcome.Added.class);
    UpdateOutcome outcome = new UpdateOutcome.Added();
    for (int id = 100_000; outcome instanceof UpdateOutcome.Added; id++) {
      RegisteredElement next = new RegisteredElement(element(id, 5_000), 2, 1);
      outcome = handlespace.apply(new TableEntry(HANDLE, PolicyType.ROUND_ROBIN, next), 0);
    }
    assertThat(outcome).isInstanceOfSatisfying(UpdateOutcome.Full.class, refused -> {
      assertThat(refused.limit()).isEqualTo(LIMIT);
      assertThat(refused.value()).isGreaterThan(LIMIT);
    });
    assertThat(handlespace.bytes()).isBetween(LIMIT - 25_000, LIMIT);
  }

  @Test
  void renewalsCountOnceAndMayNotGrowBeyondTheLimit() {
    assertThat(register(1, 10, 7)).isInstanceOf(RegistrationOutcome.Registered.class);
    long small = handlespace.bytes();
    assertThat(register(1, 10, 7)).isInstanceOf(RegistrationOutcome.Renewed.class);
    assertThat(handlespace.bytes()).isEqualTo(small);
    assertThat(register(1, 10, 8)).as("from another host").isInstanceOf(RegistrationOutcome.Renewed.class);
    assertThat(handlespace.bytes()).isEqualTo(small);
    RegistrationOutcome.Full full = fill(8);
    assertThat(full.what()).isEqualTo("bytes of elements of one host");
    Registration grown =
        new Registration(
            1, List.of(element(1, 10).endpoints().get(0), element(1, 6_000).endpoints().get(0)), Parameters.PLAIN,
            Registration.FOREVER);
    assertThat(handlespace.register(HANDLE, PolicyType.ROUND_ROBIN, grown, 8, 0))
        .isInstanceOf(RegistrationOutcome.Full.class);
    assertThat(register(1, 10, 8)).as("unchanged").isInstanceOf(RegistrationOutcome.Renewed.class);
    handlespace.checkInvariants();
  }

  @Test
  void whatIsRemovedLeavesNothing() {
    fill(7);
    for (int id = 1; id <= last; id++) {
      handlespace.deregister(new ElementKey(HANDLE, id), 0);
    }
    assertThat(handlespace.bytes()).isZero();
    assertThat(register(1, 5_000, 7)).isInstanceOf(RegistrationOutcome.Registered.class);
    handlespace.checkInvariants();
  }
}
