package io.rns.handlespace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rns.api.EndpointReference;
import io.rns.api.EntryName;
import io.rns.api.RnsPath;
import io.rns.error.Limits;
import io.rns.error.RnsException;
import io.rns.handlespace.TimerEvent.KeepAliveDue;
import io.rns.handlespace.TimerEvent.KeepAliveMissed;
import io.rns.handlespace.TimerEvent.LifetimeExpired;
import io.rns.pool.Distance;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import io.rns.pool.SelectionState;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Individual results, checked by hand. */
class HandlespaceTest {
  private static final int SELF = 7;
  private static final int OTHER = -7;
  private static final RnsPath HANDLE = RnsPath.parse("/service");
  private static final HandlespaceSettings SETTINGS = new HandlespaceSettings(2, 5, 3, 3, 1, 1_000, 100, 2);
  private static final PolicyType POLICY = PolicyType.ROUND_ROBIN;

  /** The middle of every period. */
  private static final RandomGenerator MIDDLE = () -> 0x7fff_ffff_ffff_ffffL;

  private final Handlespace handlespace = new Handlespace(SELF, 0, SETTINGS, new SplittableRandom(1));

  private static Registration element(int id, String... addresses) {
    return element(id, Registration.FOREVER, addresses);
  }

  private static Registration element(int id, long lifetime, String... addresses) {
    List<EndpointReference> endpoints = List.of(addresses).stream().map(EndpointReference::ofAddress).toList();
    return new Registration(id, endpoints, Parameters.PLAIN, lifetime);
  }

  private RegistrationOutcome register(int id, String... addresses) {
    return handlespace.register(HANDLE, POLICY, element(id, addresses), 0);
  }

  private static ElementKey key(int id) {
    return new ElementKey(HANDLE, id);
  }

  @Test
  void aPoolExistsWhileItHasElements() {
    assertThat(handlespace.resolve(HANDLE, 1)).isEqualTo(new ResolutionOutcome.UnknownPool());
    RegisteredElement expected = new RegisteredElement(element(1, "http://a/"), SELF, 1);
    assertThat(register(1, "http://a/")).isEqualTo(new RegistrationOutcome.Registered(expected));
    SelectionState fresh = SelectionState.fresh(expected.registration().parameters(), Distance.NONE, 0);
    assertThat(handlespace.resolve(HANDLE, 3))
        .isEqualTo(new ResolutionOutcome.Resolved(POLICY, List.of(new ResolutionOutcome.Selected(expected, fresh))));
    assertThat(handlespace.pools(Optional.empty(), 9)).containsExactly(new PoolSummary(HANDLE, POLICY, 1, 1));
    assertThat(handlespace.deregister(key(1), 0)).isEqualTo(new DeregistrationOutcome.Removed(expected));
    assertThat(handlespace.deregister(key(1), 0)).isEqualTo(new DeregistrationOutcome.NotRegistered());
    assertThat(handlespace.poolCount()).isZero();
    assertThat(handlespace.nextTimerMillis()).isEmpty();
    handlespace.checkInvariants();
  }

  @Test
  void thePolicyLastsFromTheFirstElementToTheLast() {
    register(1, "http://a/");
    assertThat(handlespace.register(HANDLE, PolicyType.RANDOM, element(2, "http://b/"), 0))
        .isEqualTo(new RegistrationOutcome.OtherPolicy(POLICY));
    assertThat(handlespace.size()).isEqualTo(1);
    TableEntry news =
        new TableEntry(HANDLE, PolicyType.RANDOM, new RegisteredElement(element(2, "http://b/"), OTHER, 1));
    assertThat(handlespace.apply(news, 0)).isEqualTo(new UpdateOutcome.OtherPolicy(POLICY));
    handlespace.deregister(key(1), 0);
    assertThat(handlespace.apply(news, 0)).isEqualTo(new UpdateOutcome.Added());
  }

  @Test
  void anIdOfAnotherElementIsTaken() {
    register(1, "http://a/", "http://b/");
    RegisteredElement known = new RegisteredElement(element(1, "http://a/", "http://b/"), SELF, 1);
    assertThat(register(1, "http://c/")).isEqualTo(new RegistrationOutcome.IdTaken(known));
    assertThat(register(1, "http://c/", "http://b/")).isInstanceOf(RegistrationOutcome.Renewed.class);
    assertThat(register(1, "http://c/")).isInstanceOf(RegistrationOutcome.Renewed.class);
  }

  @Test
  void anElementThatRegistersElsewhereChangesItsHome() {
    RegisteredElement elsewhere = new RegisteredElement(element(1, "http://a/"), OTHER, 41);
    handlespace.apply(new TableEntry(HANDLE, POLICY, elsewhere), 0);
    assertThat(handlespace.nextTimerMillis()).as("infinite lifetime").isEmpty();
    assertThat(register(1, "http://a/"))
        .isEqualTo(
            new RegistrationOutcome.Renewed(new RegisteredElement(element(1, "http://a/"), SELF, 42), elsewhere));
    assertThat(handlespace.nextTimerMillis()).as("a keep-alive is planned").isPresent();
    assertThat(handlespace.synchronisation().homes()).containsExactly(SELF);

    RegisteredElement back = new RegisteredElement(element(1, "http://a/"), OTHER, 43);
    assertThat(handlespace.apply(new TableEntry(HANDLE, POLICY, back), 0)).isInstanceOf(UpdateOutcome.Replaced.class);
    assertThat(handlespace.synchronisation().homes()).containsExactly(OTHER);
    assertThat(handlespace.nextTimerMillis()).isEmpty();
    assertThat(handlespace.apply(new TableEntry(HANDLE, POLICY, elsewhere), 0))
        .isEqualTo(new UpdateOutcome.Stale(back));
    assertThat(handlespace.applyRemoval(key(1), 42, 0)).isEqualTo(new UpdateOutcome.Stale(back));
    assertThat(handlespace.applyRemoval(key(1), 43, 0)).isEqualTo(new UpdateOutcome.Removed(back));
  }

  @Test
  void concurrentHomesAreResolvedAlikeEverywhere() {
    TableEntry one = new TableEntry(HANDLE, POLICY, new RegisteredElement(element(1, "http://a/"), 5, 3));
    TableEntry two = new TableEntry(HANDLE, POLICY, new RegisteredElement(element(1, "http://a/"), OTHER, 3));
    handlespace.apply(one, 0);
    assertThat(handlespace.apply(two, 0)).isEqualTo(new UpdateOutcome.Replaced(one.element()));
    assertThat(handlespace.apply(one, 0)).isEqualTo(new UpdateOutcome.Stale(two.element()));
  }

  @Test
  void limitsAreNamed() {
    for (int id = 1; id <= 3; id++) {
      register(id, "http://a/");
    }
    assertThat(register(4, "http://a/")).isEqualTo(new RegistrationOutcome.Full("elements of the pool", 3, 4));
    assertThat(register(3, "http://a/")).isInstanceOf(RegistrationOutcome.Renewed.class);
    RnsPath second = RnsPath.parse("/second");
    handlespace.register(second, POLICY, element(1, "http://a/"), 0);
    assertThat(handlespace.register(RnsPath.parse("/third"), POLICY, element(1, "http://a/"), 0))
        .isEqualTo(new RegistrationOutcome.Full("pools registered here", 2, 3));
    handlespace.register(second, POLICY, element(2, "http://a/"), 0);
    assertThat(handlespace.register(second, POLICY, element(3, "http://a/"), 0))
        .isEqualTo(new RegistrationOutcome.Full("elements registered here", 5, 6));
    assertThat(handlespace.register(RnsPath.ROOT, POLICY, element(3, "http://a/"), 0))
        .isEqualTo(new RegistrationOutcome.NoHandle());
  }

  @Test
  void handlesMayBeAsLongAsPaths() {
    for (int length : new int[]{4_096, Limits.PATH_BYTES}) {
      StringBuilder text = new StringBuilder();
      while (text.length() < length) {
        text.append('/').append("x".repeat(Math.min(1_023, length - text.length())));
      }
      RnsPath handle = RnsPath.parse(text.toString());
      RnsPath sibling = handle.parent().child(EntryName.of("y"));
      handlespace.register(handle, POLICY, element(1, "http://a/"), 0);
      handlespace.register(sibling, POLICY, element(1, "http://b/"), 0);
      assertThat(handlespace.resolve(handle, 1))
          .isInstanceOfSatisfying(
              ResolutionOutcome.Resolved.class,
              r -> assertThat(r.elements().get(0).registration().endpoints().get(0).address()).isEqualTo("http://a/"));
      handlespace.checkInvariants();
      assertThat(handlespace.deregister(new ElementKey(handle, 1), 0))
          .isInstanceOf(DeregistrationOutcome.Removed.class);
      assertThat(handlespace.deregister(new ElementKey(sibling, 1), 0))
          .isInstanceOf(DeregistrationOutcome.Removed.class);
    }
  }

  @Test
  void resolutionsAreLimitedAndChargeOneElement() {
    Handlespace wide =
        new Handlespace(SELF, 0, new HandlespaceSettings(1, 9, 9, 3, 1, 1_000, 100, 2), new SplittableRandom(1));
    for (int id = 1; id <= 5; id++) {
      wide.register(HANDLE, POLICY, element(id, "http://a/"), 0);
    }
    assertThat(ids(wide.resolve(HANDLE, 9))).containsExactly(1, 2, 3);
    assertThat(ids(wide.resolve(HANDLE, 2))).containsExactly(2, 3);
    assertThat(ids(wide.resolve(HANDLE, 1))).containsExactly(3);
    assertThatExceptionOfType(RnsException.class).isThrownBy(() -> wide.resolve(HANDLE, 0))
        .withMessageContaining("/service");
  }

  private static List<Integer> ids(ResolutionOutcome outcome) {
    return ((ResolutionOutcome.Resolved) outcome).elements().stream().map(RegisteredElement::id).toList();
  }

  /** Otherwise an element that renews often would never be selected. */
  @Test
  void renewalWithoutChangesKeepsTheTurn() {
    register(1, "http://a/");
    register(2, "http://a/");
    register(1, "http://a/");
    assertThat(ids(handlespace.resolve(HANDLE, 2))).containsExactly(1, 2);
  }

  @Test
  void elementsWithoutWeightAreNotEligible() {
    Registration idle = new Registration(1, element(1, "http://a/").endpoints(), Parameters.PLAIN.withWeight(0), 10);
    handlespace.register(HANDLE, PolicyType.WEIGHTED_RANDOM, idle, 0);
    assertThat(handlespace.resolve(HANDLE, 1))
        .isEqualTo(new ResolutionOutcome.NoneEligible(PolicyType.WEIGHTED_RANDOM, 1));
  }

  @Test
  void anElementThatDoesNotAnswerIsRemoved() {
    Handlespace timed = new Handlespace(SELF, 0, SETTINGS, MIDDLE);
    timed.register(HANDLE, POLICY, element(1, "http://a/"), 0);
    TableEntry entry = timed.synchronisation().table(Optional.empty(), 1).entries().get(0);
    long first = timed.nextTimerMillis().orElseThrow();
    assertThat(first).isBetween(500L, 1_500L);
    assertThat(timed.run(first - 1, 9)).isEmpty();
    assertThat(timed.run(first, 9)).containsExactly(new KeepAliveDue(entry));
    assertThat(timed.acknowledge(key(1), first + 99)).isTrue();
    assertThat(timed.acknowledge(key(1), first + 99)).as("no longer awaited").isFalse();
    long second = timed.nextTimerMillis().orElseThrow();
    assertThat(second).isBetween(first + 599, first + 1_599);
    assertThat(timed.run(second, 9)).containsExactly(new KeepAliveDue(entry));
    assertThat(timed.run(second + 99, 9)).isEmpty();
    assertThat(timed.run(second + 100, 9)).containsExactly(new KeepAliveMissed(entry));
    assertThat(timed.size()).isZero();
  }

  @Test
  void aRegistrationEndsWithItsLifetimeAtEveryRegistrar() {
    handlespace.register(HANDLE, POLICY, element(1, 200, "http://a/"), 1_000);
    handlespace.apply(new TableEntry(HANDLE, POLICY, new RegisteredElement(element(2, 300, "http://b/"), OTHER, 1)),
        1_000);
    assertThat(handlespace.run(1_199, 9)).isEmpty();
    assertThat(handlespace.run(1_300, 1)).hasSize(1).allSatisfy(e -> assertThat(e).isInstanceOf(LifetimeExpired.class));
    assertThat(handlespace.run(1_300, 9)).extracting(e -> e.entry().element().id()).containsExactly(2);
    assertThat(handlespace.size()).isZero();
  }

  @Test
  void aClockSetBackOnlyDelays() {
    handlespace.register(HANDLE, POLICY, element(1, 100, "http://a/"), 1_000_000);
    assertThat(handlespace.run(0, 9)).isEmpty();
    handlespace.register(HANDLE, POLICY, element(1, 100, "http://a/"), 0);
    assertThat(handlespace.nextTimerMillis()).hasValue(1_000_100);
    assertThat(handlespace.run(Long.MAX_VALUE, 9)).hasSize(1);
    assertThat(handlespace.register(HANDLE, POLICY, element(1, 100, "http://a/"), 0))
        .as("at the end of time, registrations do not end")
        .isInstanceOf(RegistrationOutcome.Registered.class);
    assertThat(handlespace.run(Long.MAX_VALUE, 9)).isEmpty();
  }

  @Test
  void tooManyReportsRemoveAnElement() {
    register(1, "http://a/");
    assertThat(handlespace.reportUnreachable(key(1), 1, 10)).isEqualTo(new UnreachableOutcome.Counted(1));
    assertThat(handlespace.nextTimerMillis()).as("the keep-alive is due at once").hasValue(10);
    assertThat(handlespace.run(10, 9)).hasSize(1);
    assertThat(handlespace.acknowledge(key(1), 11)).isTrue();
    assertThat(handlespace.reportUnreachable(key(1), 1, 12)).isEqualTo(new UnreachableOutcome.Counted(1));
    assertThat(handlespace.reportUnreachable(key(1), 1, 12)).as("a reporter counts once")
        .isEqualTo(new UnreachableOutcome.Counted(1));
    assertThat(handlespace.reportUnreachable(key(1), 2, 13)).isEqualTo(new UnreachableOutcome.Counted(2));
    assertThat(handlespace.reportUnreachable(key(1), 3, 13)).isInstanceOf(UnreachableOutcome.Removed.class);
    assertThat(handlespace.reportUnreachable(key(1), 3, 14)).isEqualTo(new UnreachableOutcome.Unknown());

    register(1, "http://a/");
    handlespace.reportUnreachable(key(1), 1, 20);
    register(1, "http://a/");
    assertThat(handlespace.reportUnreachable(key(1), 2, 21)).as("a registration resets the count")
        .isEqualTo(new UnreachableOutcome.Counted(1));
    handlespace.apply(new TableEntry(HANDLE, POLICY, new RegisteredElement(element(2, "http://b/"), OTHER, 1)), 22);
    assertThat(handlespace.reportUnreachable(key(2), 1, 23)).isEqualTo(new UnreachableOutcome.OtherHome(OTHER));
  }

  @Test
  void invalidSettingsAreRejected() {
    assertThatExceptionOfType(RnsException.class)
        .isThrownBy(() -> new HandlespaceSettings(0, 5, 3, 3, 1, 1_000, 100, 2));
    assertThatExceptionOfType(RnsException.class)
        .isThrownBy(() -> new HandlespaceSettings(2, 5, 3, 0, 1, 1_000, 100, 2));
    assertThatExceptionOfType(RnsException.class)
        .isThrownBy(() -> new HandlespaceSettings(2, 5, 3, 3, 1, 1, 100, 2))
        .withMessageContaining("keep-alive milliseconds must be at least 2, not 1");
    assertThatExceptionOfType(RnsException.class).isThrownBy(() -> new Handlespace(0, 0, SETTINGS, MIDDLE));
    assertThatExceptionOfType(RnsException.class).isThrownBy(() -> new Handlespace(SELF, -1, SETTINGS, MIDDLE));
  }

  @Test
  void anElementNeedsAnIdAnEndpointAndALifetime() {
    assertThatExceptionOfType(RnsException.class).isThrownBy(() -> element(0, "http://a/"));
    assertThatExceptionOfType(RnsException.class).isThrownBy(() -> element(1));
    assertThatExceptionOfType(RnsException.class).isThrownBy(() -> element(1, 0, "http://a/"));
    String[] most = new String[Limits.EPRS_PER_ENTRY + 1];
    Arrays.fill(most, "http://a/");
    assertThatExceptionOfType(RnsException.class).isThrownBy(() -> element(1, most)).withMessageContaining("64");
    assertThatExceptionOfType(RnsException.class)
        .isThrownBy(() -> new RegisteredElement(element(1, "http://a/"), 0, 1));
  }
}
