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

/** Pools and elements, of which one host leaves some to others. */
class HostShareTest {
  private static final int MOST = 16;
  private static final PolicyType POLICY = PolicyType.ROUND_ROBIN;

  /** A sixteenth is for other registrars; of the rest one host has three quarters. */
  private static final int HERE = 15;

  private static final int OF_HOST = 12;

  private static Handlespace handlespace(int pools, int elements) {
    return new Handlespace(
        1, 0, new HandlespaceSettings(pools, elements, elements, 3, 1, 1_000, 100, 2), new SplittableRandom(1));
  }

  private static RnsPath pool(int number) {
    return RnsPath.parse("/p" + number);
  }

  private static Registration element(int id) {
    return new Registration(
        id, List.of(EndpointReference.ofAddress("http://a/")), Parameters.PLAIN, Registration.FOREVER);
  }

  private static TableEntry news(int pool, int id) {
    return new TableEntry(pool(pool), POLICY, new RegisteredElement(element(id), 2, 1_000));
  }

  private static RegistrationOutcome register(Handlespace in, int pool, int id, long host) {
    RegistrationOutcome outcome = in.register(pool(pool), POLICY, element(id), host, 0);
    in.checkInvariants();
    return outcome;
  }

  @Test
  void oneHostLeavesPoolsForOthers() {
    Handlespace handlespace = handlespace(MOST, 1_000);
    for (int pool = 1; pool <= OF_HOST; pool++) {
      assertThat(register(handlespace, pool, 1, 7)).isInstanceOf(RegistrationOutcome.Registered.class);
    }
    assertThat(register(handlespace, 99, 1, 7))
        .isEqualTo(new RegistrationOutcome.Full("pools of one host", OF_HOST, OF_HOST + 1));
    assertThat(register(handlespace, 1, 2, 7)).as("a pool that there is").isInstanceOf(
        RegistrationOutcome.Registered.class);
    for (int pool = OF_HOST + 1; pool <= HERE; pool++) {
      assertThat(register(handlespace, pool, 1, pool)).as("another host").isInstanceOf(
          RegistrationOutcome.Registered.class);
    }
    assertThat(register(handlespace, 99, 1, 8))
        .isEqualTo(new RegistrationOutcome.Full("pools registered here", HERE, HERE + 1));
    assertThat(handlespace.apply(news(99, 1), 0)).as("of another registrar").isInstanceOf(UpdateOutcome.Added.class);
    assertThat(handlespace.apply(news(100, 1), 0)).isEqualTo(new UpdateOutcome.Full("pools", MOST, MOST + 1));
    handlespace.checkInvariants();
  }

  @Test
  void oneHostLeavesElementsForOthers() {
    Handlespace handlespace = handlespace(9, MOST);
    for (int id = 1; id <= OF_HOST; id++) {
      assertThat(register(handlespace, 1, id, 7)).isInstanceOf(RegistrationOutcome.Registered.class);
    }
    assertThat(register(handlespace, 2, 99, 7))
        .isEqualTo(new RegistrationOutcome.Full("elements of one host", OF_HOST, OF_HOST + 1));
    assertThat(register(handlespace, 1, 1, 7)).as("a renewal").isInstanceOf(RegistrationOutcome.Renewed.class);
    for (int id = OF_HOST + 1; id <= HERE; id++) {
      assertThat(register(handlespace, 1, id, id)).as("another host").isInstanceOf(
          RegistrationOutcome.Registered.class);
    }
    assertThat(register(handlespace, 1, 99, 8))
        .isEqualTo(new RegistrationOutcome.Full("elements registered here", HERE, HERE + 1));
    assertThat(handlespace.apply(news(1, 99), 0)).isInstanceOf(UpdateOutcome.Added.class);
    assertThat(handlespace.apply(news(1, 100), 0)).isEqualTo(new UpdateOutcome.Full("elements", MOST, MOST + 1));
    assertThat(handlespace.deregister(new ElementKey(pool(1), 1), 0)).isInstanceOf(DeregistrationOutcome.Removed.class);
    assertThat(register(handlespace, 1, 98, 9)).as("still none here").isInstanceOf(RegistrationOutcome.Full.class);
  }

  /** Otherwise whoever stays in a pool would use up the share of a host that has left it. */
  @Test
  void aPoolCountsForAHostThatHasElementsInIt() {
    Handlespace handlespace = handlespace(MOST, 1_000);
    for (int pool = 1; pool <= 4; pool++) {
      register(handlespace, pool, 1, 7);
    }
    for (int pool = 1; pool <= 2; pool++) {
      register(handlespace, pool, 2, 8);
      handlespace.deregister(new ElementKey(pool(pool), 1), 0);
      handlespace.checkInvariants();
    }
    register(handlespace, 3, 1, 8);
    handlespace.apply(news(4, 1), 0);
    // Others have 4 now, and leave 11.
    for (int pool = 5; pool <= 13; pool++) {
      assertThat(register(handlespace, pool, 1, 7)).isInstanceOf(RegistrationOutcome.Registered.class);
    }
    assertThat(register(handlespace, 14, 1, 7)).isEqualTo(new RegistrationOutcome.Full("pools of one host", 9, 10));
  }

  @Test
  void takingOverElementsOfAnotherHostNeedsRoom() {
    Handlespace handlespace = handlespace(9, MOST);
    for (int id = 1; id <= OF_HOST; id++) {
      register(handlespace, 1, id, 7);
    }
    register(handlespace, 1, 13, 8);
    assertThat(register(handlespace, 1, 13, 7))
        .isEqualTo(new RegistrationOutcome.Full("elements of one host", OF_HOST, OF_HOST + 1));
    assertThat(register(handlespace, 1, 12, 8)).isInstanceOf(RegistrationOutcome.Renewed.class);
  }

  /** All elements of a failed registrar register here, though nothing more would find room. */
  @Test
  void elementsOfAFailedRegistrarAreNotRefused() {
    Handlespace handlespace = handlespace(MOST, MOST);
    for (int id = 1; id <= MOST; id++) {
      assertThat(handlespace.apply(news(id, id), 0)).isInstanceOf(UpdateOutcome.Added.class);
    }
    for (int id = 1; id <= MOST; id++) {
      assertThat(register(handlespace, id, id, 7)).isInstanceOf(RegistrationOutcome.Renewed.class);
    }
    assertThat(register(handlespace, 1, 99, 8)).isInstanceOf(RegistrationOutcome.Full.class);
  }

  @Test
  void whatHostsHoldIsCountedThroughAllChanges() {
    Handlespace handlespace = handlespace(MOST, 40);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 3_000; i++) {
      int pool = 1 + random.nextInt(20);
      int id = 1 + random.nextInt(4);
      switch (random.nextInt(5)) {
        case 0, 1 -> handlespace.register(pool(pool), POLICY, element(id), random.nextInt(4), 0);
        case 2 -> handlespace.apply(
            new TableEntry(pool(pool), POLICY, new RegisteredElement(element(id), 2, i)), 0);
        default -> handlespace.deregister(new ElementKey(pool(pool), id), 0);
      }
      handlespace.checkInvariants();
    }
    for (int pool = 1; pool <= 20; pool++) {
      for (int id = 1; id <= 4; id++) {
        handlespace.deregister(new ElementKey(pool(pool), id), 0);
      }
    }
    handlespace.checkInvariants();
    assertThat(handlespace.bytes()).isZero();
    for (int pool = 1; pool <= OF_HOST; pool++) {
      assertThat(register(handlespace, pool, 1, 1)).isInstanceOf(RegistrationOutcome.Registered.class);
    }
  }
}
