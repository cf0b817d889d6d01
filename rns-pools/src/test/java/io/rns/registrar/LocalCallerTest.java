package io.rns.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementPage.ListedElement;
import io.rns.pool.ElementPage.Loss;
import io.rns.pool.ElementPage.LostElement;
import io.rns.pool.ElementsRequest;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolPage;
import io.rns.pool.PoolPage.ListedPool;
import io.rns.pool.PoolResolution;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registered;
import io.rns.pool.Registration;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.KeepAlive;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.EnrpMessage.HandleUpdate;
import io.rns.rserpool.EnrpMessage.InitTakeover;
import io.rns.rserpool.Message;
import io.rns.rserpool.Octets;
import io.rns.rserpool.ServerInformation;
import io.rns.rserpool.UpdateAction;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Calls from the same process, and the lifetimes of elements without keep-alives. */
class LocalCallerTest extends OneRegistrar {
  private static final RnsPath POOL = RnsPath.parse("/p");
  private static final long LIFETIME = 900_500;
  private static final long TTL = 5_000;

  private static Registration element(int id, long lifetime, String address) {
    return new Registration(id, List.of(EndpointReference.ofAddress(address)), Parameters.PLAIN, lifetime);
  }

  private <T> T ask(long now, Function<LocalCaller, T> question) {
    return registrar.asked(question, now).answer();
  }

  private Registered register(long now, Registration registration) {
    return ask(now, caller -> caller.register(POOL, PolicyType.ROUND_ROBIN, registration, 0));
  }

  private PoolResolution resolve(long now, int items) {
    return ask(now, caller -> caller.resolve(POOL, items, TTL, 0));
  }

  private void refused(RnsError error, String says, Function<LocalCaller, ?> question) {
    assertThatExceptionOfType(RnsException.class)
        .isThrownBy(() -> registrar.asked(question, 1))
        .withMessageContaining(says)
        .satisfies(e -> assertThat(e.error()).isEqualTo(error));
  }

  /** Handles all timers up to a time. */
  private void pass(long until) {
    for (long next = registrar.nextTimerMillis(); next < until; next = registrar.nextTimerMillis()) {
      registrar.run(next);
    }
  }

  @Test
  void elementsWithoutKeepAlivesLiveUntilTheirLifetimeEnds() {
    Registered first = register(1, element(1, LIFETIME, "http://a/"));
    assertThat(first.home()).isEqualTo(SELF);
    pass(LIFETIME);
    assertThat(registrar.handlespace().size()).isEqualTo(1);
    assertThat(register(LIFETIME, element(1, LIFETIME, "http://a/")).version()).isGreaterThan(first.version());
    pass(2 * LIFETIME - 1);
    assertThat(registrar.handlespace().size()).isEqualTo(1);
    registrar.run(2 * LIFETIME);
    assertThat(registrar.handlespace().size()).isZero();
  }

  @Test
  void anAnswerIsValidUntilTheFirstRegistrationEnds() {
    register(1, element(1, LIFETIME, "http://a/"));
    register(1, element(2, 3_000, "http://b/"));
    PoolResolution one = resolve(1_001, 1);
    assertThat(one.ttlMillis()).isEqualTo(TTL);
    assertThat(one.elements().get(0).reportedMillis()).isEqualTo(1_000);
    assertThat(resolve(1_001, 2).ttlMillis()).isEqualTo(2_000);
    assertThat(one.policy()).isEqualTo(PolicyType.ROUND_ROBIN);
    assertThat(one.elements().get(0).endpoints()).containsExactly(EndpointReference.ofAddress("http://a/"));
  }

  @Test
  void userReportsCountOnceForEachUser() {
    register(1, element(1, LIFETIME, "http://a/"));
    unreachable(1);
    pass(10_000);
    assertThat(registrar.handlespace().size()).as("one report is not enough").isEqualTo(1);
    unreachable(1);
    assertThat(registrar.handlespace().size()).as("nor is another one of the same user").isEqualTo(1);
    unreachable(2);
    assertThat(registrar.handlespace().size()).isZero();
    List<LostElement> lost = ask(10_000, c -> c.elements(ElementsRequest.of(POOL))).lost();
    assertThat(lost).extracting(LostElement::loss).containsExactly(Loss.REPORTED);
    unreachable(3);
  }

  private void unreachable(long reporter) {
    int left =
        ask(
            10_000,
            caller -> {
              caller.unreachable(POOL, 1, reporter);
              return caller.handlespace().size();
            });
    assertThat(left).isLessThan(2);
  }

  @Test
  void rejectionsNameTheLimit() {
    register(1, element(1, LIFETIME, "http://a/"));
    refused(RnsError.ELEMENT_ID_TAKEN, "/p has id 1",
        c -> c.register(POOL, PolicyType.ROUND_ROBIN, element(1, 1, "http://b/"), 0));
    refused(RnsError.OTHER_POLICY, "/p is rr, not lu",
        c -> c.register(POOL, PolicyType.LEAST_USED, element(2, 1, "http://b/"), 0));
    register(1, element(2, LIFETIME, "http://b/"));
    refused(RnsError.LIMIT_EXCEEDED, "limited to 2",
        c -> c.register(POOL, PolicyType.ROUND_ROBIN, element(3, 1, "http://c/"), 0));
    refused(RnsError.INVALID_REQUEST, "root",
        c -> c.register(RnsPath.ROOT, PolicyType.RANDOM, element(3, 1, "http://c/"), 0));
    Registration endless = element(3, Registration.FOREVER, "http://c/");
    refused(RnsError.INVALID_REQUEST, "element 3 of pool /p has the infinite lifetime -1",
        c -> c.register(POOL, PolicyType.ROUND_ROBIN, endless, 0));
    Registration controlled =
        new Registration(3, endless.endpoints(), Parameters.PLAIN, 9, Optional.of(endless.endpoints().get(0)));
    refused(RnsError.INVALID_REQUEST, "element 3 of pool /p has a control endpoint, http://c/",
        c -> c.register(POOL, PolicyType.ROUND_ROBIN, controlled, 0));
    refused(
        RnsError.INVALID_REQUEST, "opaque",
        c -> c.register(POOL, PolicyType.ROUND_ROBIN, element(3, 9, "tcp://127.0.0.1:9"), 0));
    refused(
        RnsError.LIMIT_EXCEEDED,
        "handle and element take 65248 bytes; the limit is 65000 bytes: element 3 of pool /p",
        c -> c.register(POOL, PolicyType.ROUND_ROBIN, element(3, 9, "http://" + "c".repeat(65_000) + "/"), 0));
    refused(RnsError.NO_SUCH_POOL, "/q", c -> c.resolve(RnsPath.parse("/q"), 1, TTL, 0));
    boolean was = ask(1, c -> c.deregister(POOL, 1));
    boolean still = ask(1, c -> c.deregister(POOL, 1));
    assertThat(List.of(was, still)).containsExactly(true, false);
  }

  @Test
  void aPoolWithoutEligibleElementsIsBusy() {
    Registration idle =
        new Registration(1, List.of(EndpointReference.ofAddress("http://a/")), Parameters.PLAIN.withWeight(0), 9_000);
    ask(1, caller -> caller.register(POOL, PolicyType.WEIGHTED_ROUND_ROBIN, idle, 0));
    refused(RnsError.BUSY, "none of 1", c -> c.resolve(POOL, 1, TTL, 0));
  }

  /** Seconds are rounded up, so that no peer expires the element early. */
  @Test
  void peersReceiveRegistrations() {
    received(50, presence(LOWER, false), 1);
    List<Message> told =
        sent(registrar.asked(c -> c.register(POOL, PolicyType.ROUND_ROBIN, element(1, 1_001, "http://a/"), 0), 2)
            .effects());
    assertThat(told).hasSize(1).first().isInstanceOfSatisfying(HandleUpdate.class, update -> {
      assertThat(update.action()).isEqualTo(UpdateAction.ADD_ELEMENT);
      assertThat(update.element().lifeSeconds()).isEqualTo(2);
      assertThat(update.element().control()).isEmpty();
    });
    assertThat(sent(registrar.asked(c -> c.deregister(POOL, 1), 3).effects()))
        .hasSize(1)
        .first()
        .isInstanceOfSatisfying(HandleUpdate.class,
            update -> assertThat(update.action()).isEqualTo(UpdateAction.DELETE_ELEMENT));
  }

  /** Elements without keep-alives survive a takeover; their new home does not expire them early. */
  @Test
  void elementsTakenOverLiveUntilTheirLifetimeEnds() {
    received(50, presence(LOWER, false), 1);
    ElementDescription other = of(LOWER, 3, 1);
    ElementDescription silent =
        new ElementDescription(
            1, LOWER, 600, other.user(), other.policy(), Optional.empty(), other.version(), Optional.empty());
    received(50, new HandleUpdate(LOWER, 0, UpdateAction.ADD_ELEMENT, HANDLE, silent), 1);
    pass(3_001);
    registrar.run(3_001);
    assertThat(sent(registrar.run(3_501))).contains(new InitTakeover(SELF, LOWER, LOWER))
        .noneMatch(m -> m instanceof KeepAlive);
    assertThat(registrar.handlespace().synchronisation().homes()).containsExactly(SELF);
    pass(600_000);
    assertThat(registrar.handlespace().size()).isEqualTo(1);
    registrar.run(600_001);
    assertThat(registrar.handlespace().size()).isZero();
  }

  /** An element with a connection but no control transport must reconnect after the connection is lost. */
  @Test
  void anElementThatDoesNotReconnectIsLost() {
    ElementDescription known = element(1, PolicyType.ROUND_ROBIN, 101);
    ElementDescription silent =
        new ElementDescription(1, 0, 600, known.user(), known.policy(), Optional.empty(), Optional.empty(),
            Optional.empty());
    received(1, new AsapMessage.Registration(HANDLE, silent), 1);
    registrar.closed(1, 5);
    pass(1_004);
    assertThat(registrar.handlespace().size()).isEqualTo(1);
    registrar.run(1_005);
    assertThat(registrar.handlespace().size()).isZero();
  }

  /** Comparing tables repeats known states. */
  @Test
  void repeatedStatesAreNotReports() {
    HandleUpdate added = update(UpdateAction.ADD_ELEMENT, LOWER, LOWER, 3);
    received(50, added, 1);
    received(50, added, 1_000);
    assertThat(resolve(2_000, 1).elements().get(0).reportedMillis()).isEqualTo(1_999);
    received(50, update(UpdateAction.ADD_ELEMENT, LOWER, LOWER, 4), 2_000);
    assertThat(resolve(2_500, 1).elements().get(0).reportedMillis()).isEqualTo(500);
  }

  @Test
  void poolsAreListedInPages() {
    for (String handle : List.of("/a", "/p", "/p/q", "/pp")) {
      ask(1, c -> c.register(RnsPath.parse(handle), PolicyType.RANDOM, element(1, LIFETIME, "http://a/"), 0));
    }
    assertThat(handles(PoolsRequest.of(RnsPath.ROOT))).containsExactly("/a", "/p", "/p/q", "/pp");
    assertThat(handles(PoolsRequest.of(POOL))).containsExactly("/p", "/p/q");
    assertThat(handles(PoolsRequest.of(POOL).from(POOL))).containsExactly("/p/q");
    assertThat(handles(PoolsRequest.of(POOL).from(RnsPath.parse("/a")))).containsExactly("/p", "/p/q");
    PoolPage page = ask(1, c -> c.pools(new PoolsRequest(RnsPath.ROOT, 3, Optional.empty())));
    assertThat(page.next()).contains(RnsPath.parse("/p/q"));
    PoolPage last = ask(1, c -> c.pools(new PoolsRequest(RnsPath.ROOT, 3, page.next())));
    assertThat(last).isEqualTo(
        new PoolPage(List.of(new ListedPool(RnsPath.parse("/pp"), PolicyType.RANDOM, 1, 1)), Optional.empty()));
    PoolPage full = ask(1, c -> c.pools(new PoolsRequest(RnsPath.ROOT, 4, Optional.empty())));
    assertThat(full.pools()).hasSize(4);
    assertThat(full.next()).as("the last page, exactly full").isEmpty();
  }

  private List<String> handles(PoolsRequest request) {
    return ask(1, c -> c.pools(request)).pools().stream().map(pool -> pool.handle().toString()).toList();
  }

  @Test
  void elementsAreListedInPagesWithTheirState() {
    Registration far = element(-1, 4_000, "http://a/");
    register(1, far);
    register(1, element(1, LIFETIME, "http://b/"));
    assertThat(ask(1, c -> c.elements(ElementsRequest.of(POOL))).elements())
        .as("none receives keep-alives")
        .hasSize(2)
        .allSatisfy(element -> assertThat(element.keepAliveMillis()).isEmpty());
    ask(2, c -> {
      c.unreachable(POOL, 1, 1);
      return true;
    });
    ElementPage first = ask(1_001, c -> c.elements(new ElementsRequest(POOL, 1, 0)));
    assertThat(first.policy()).contains(PolicyType.ROUND_ROBIN);
    assertThat(first.total()).isEqualTo(2);
    assertThat(first.elements()).extracting(ListedElement::id).containsExactly(1);
    assertThat(first.elements().get(0).unreachableReports()).isEqualTo(1);
    assertThat(first.next()).hasValue(1);
    ElementPage second = ask(1_001, c -> c.elements(new ElementsRequest(POOL, 1, 1)));
    assertThat(second.elements())
        .containsExactly(
            new ListedElement(-1, far.endpoints(), far.parameters(), 3_000, SELF, 0, OptionalLong.empty(),
                OptionalLong.empty()));
    assertThat(second.next()).isEmpty();
    registrar.run(4_001);
    List<LostElement> lost = ask(4_501, c -> c.elements(ElementsRequest.of(POOL))).lost();
    assertThat(lost).containsExactly(new LostElement(-1, far.endpoints(), Loss.EXPIRED, 500));
  }

  /** An unanswered keep-alive is shown, then the loss; the loss is remembered even after the pool is empty. */
  @Test
  void lossesAreRemembered() {
    register(element(1, PolicyType.ROUND_ROBIN, 101));
    registrar.closed(1, 5);
    assertThat(ask(305, c -> c.elements(ElementsRequest.of(POOL))).elements().get(0).silentMillis()).hasValue(300);
    registrar.run(1_005);
    ElementPage page = ask(1_006, c -> c.elements(ElementsRequest.of(POOL)));
    assertThat(page.policy()).isEmpty();
    assertThat(page.total()).isZero();
    assertThat(page.lost()).extracting(LostElement::loss).containsExactly(Loss.SILENT);
    refused(RnsError.NO_SUCH_POOL, "/q", c -> c.elements(ElementsRequest.of(RnsPath.parse("/q"))));
  }

  /** The next keep-alive is shown only by the home, and not while an answer is pending. */
  @Test
  void theNextKeepAliveIsShown() {
    register(element(1, PolicyType.ROUND_ROBIN, 101));
    long next = onlyElement(2).keepAliveMillis().orElseThrow();
    assertThat(next).isBetween(49_999L, 149_999L);
    assertThat(onlyElement(1_002).keepAliveMillis()).hasValue(next - 1_000);
    registrar.run(2 + next);
    ListedElement asked = onlyElement(12 + next);
    assertThat(asked.keepAliveMillis()).isEmpty();
    assertThat(asked.silentMillis()).hasValue(10);
    ask(13 + next, c -> c.deregister(POOL, 1));
    received(50, update(UpdateAction.ADD_ELEMENT, LOWER, LOWER, 3), 14 + next);
    assertThat(onlyElement(15 + next).keepAliveMillis()).as("only its home knows").isEmpty();
  }

  private ListedElement onlyElement(long now) {
    List<ListedElement> elements = ask(now, c -> c.elements(ElementsRequest.of(POOL))).elements();
    assertThat(elements).hasSize(1);
    return elements.get(0);
  }

  @Test
  void eventsAreCounted() {
    assertThat(figures()).isEqualTo(new RegistrarFigures(0, 0, 1, 0, 0, 0, 0, 0));
    register(1, element(1, LIFETIME, "http://a/"));
    resolve(1, 1);
    received(7, new AsapMessage.HandleResolution(false, HANDLE), 1);
    assertThat(figures()).isEqualTo(new RegistrarFigures(1, 1, 1, 2, 0, 0, 0, 0));
    refused(RnsError.NO_SUCH_POOL, "/q", c -> c.resolve(RnsPath.parse("/q"), 1, TTL, 0));
    refused(RnsError.OTHER_POLICY, "/p", c -> c.register(POOL, PolicyType.RANDOM, element(2, 1, "http://b/"), 0));
    register(element(3, PolicyType.RANDOM, 103));
    received(7, new AsapMessage.HandleResolution(false, Octets.utf8("/q")), 1);
    assertThat(figures()).isEqualTo(new RegistrarFigures(1, 1, 1, 2, 4, 0, 0, 0));
    received(7, new AsapMessage.Unreachable(HANDLE, 1), 2);
    received(50, presence(LOWER, false), 2);
    assertThat(figures()).isEqualTo(new RegistrarFigures(1, 1, 2, 2, 4, 1, 0, 0));
    ask(
        3,
        c -> {
          c.unreachable(POOL, 1, 1);
          return true;
        });
    assertThat(figures()).as("the second report removes it").isEqualTo(new RegistrarFigures(0, 0, 2, 2, 4, 2, 1, 0));
    register(3, element(1, 10, "http://a/"));
    registrar.run(14);
    assertThat(figures().losses()).isEqualTo(2);
    registrar.run(3_002);
    registrar.run(3_502);
    assertThat(figures()).isEqualTo(new RegistrarFigures(0, 0, 1, 2, 4, 2, 2, 1));
  }

  private RegistrarFigures figures() {
    return registrar.asked(LocalCaller::figures, 1).answer();
  }

  @Test
  void callsAreRejectedBeforeTheRegistrarServes() {
    Registrar starting =
        new Registrar(
            new ServerInformation(SELF, SimulatedNetwork.listeningAt(1)),
            0,
            SETTINGS,
            List.of(SimulatedNetwork.listeningAt(2)),
            new SplittableRandom(1));
    starting.start(0);
    assertThatExceptionOfType(RnsException.class)
        .isThrownBy(() -> starting.asked(c -> c.deregister(POOL, 1), 1))
        .satisfies(e -> assertThat(e.error()).isEqualTo(RnsError.UNAVAILABLE));
  }
}
