package io.rns.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.handlespace.Checksum;
import io.rns.handlespace.HandlespaceSettings;
import io.rns.pool.ElementPage;
import io.rns.pool.ElementPage.ListedElement;
import io.rns.pool.ElementsRequest;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.PoolService;
import io.rns.pool.PoolsRequest;
import io.rns.pool.Registration;
import io.rns.rserpool.Decoded;
import io.rns.rserpool.EnrpCodec;
import io.rns.rserpool.EnrpMessage;
import io.rns.rserpool.ServerInformation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** 20,000 elements in one pool, at two registrars that exchange encoded messages. */
class LargeRegistrarTest {
  private static final int ELEMENTS = 20_000;
  private static final int EARLY = 15_000;
  private static final long LIFETIME = 600_000;
  private static final RnsPath POOL = RnsPath.parse("/large");
  private static final RegistrarSettings SETTINGS =
      new RegistrarSettings(
          new HandlespaceSettings(9, 2 * ELEMENTS, ELEMENTS, PoolService.RESOLUTION_ITEMS, 1, 5_000, 5_000, 3), 2_400,
          5_000, 5_000, 5_000, 128);

  private final Registrar first = registrar(1, 2);
  private final Registrar second = registrar(2, 1);
  private final Deque<Runnable> onTheWay = new ArrayDeque<>();
  private boolean isSecondThere;
  private long now;

  private static Registrar registrar(int id, int other) {
    return new Registrar(
        new ServerInformation(id, SimulatedNetwork.listeningAt(id)),
        0,
        SETTINGS,
        List.of(SimulatedNetwork.listeningAt(other)),
        new SplittableRandom(id));
  }

  private Registrar other(Registrar registrar) {
    return registrar.equals(first) ? second : first;
  }

  /** Delivers effects to the other registrar until both are idle. */
  private void act(Registrar from, List<Effect> effects) {
    send(from, effects);
    for (Runnable next = onTheWay.poll(); next != null; next = onTheWay.poll()) {
      next.run();
    }
  }

  private void send(Registrar from, List<Effect> effects) {
    for (Effect effect : effects) {
      if (isSecondThere && effect instanceof Effect.Send send && send.message() instanceof EnrpMessage message) {
        byte[] bytes = EnrpCodec.encode(message);
        Registrar to = other(from);
        onTheWay.add(
            () -> send(to,
                to.received(7, 7, ((Decoded.Understood<EnrpMessage>) EnrpCodec.decode(bytes)).message(), now)));
      }
    }
  }

  private void pass(long until, List<Registrar> running) {
    while (now < until) {
      now = Math.min(until, running.stream().mapToLong(Registrar::nextTimerMillis).min().orElse(until));
      running.forEach(registrar -> act(registrar, registrar.run(now)));
    }
  }

  private <T> T ask(Registrar registrar, Function<LocalCaller, T> question) {
    Answered<T> answered = registrar.asked(question, now);
    act(registrar, answered.effects());
    return answered.answer();
  }

  private void register(Registrar at, int from, int to) {
    for (int id = from; id <= to; id++) {
      List<EndpointReference> endpoints = List.of(EndpointReference.ofAddress("http://host" + id + ".example/"));
      Registration element = new Registration(id, endpoints, Parameters.PLAIN, LIFETIME);
      assertThat(ask(at, caller -> caller.register(POOL, PolicyType.ROUND_ROBIN, element, 0)).home())
          .isEqualTo(at.equals(first) ? 1 : 2);
    }
  }

  private static List<Checksum> checksums(Registrar registrar) {
    return List.of(
        registrar.handlespace().synchronisation().checksum(1), registrar.handlespace().synchronisation().checksum(2));
  }

  private void bothHave(int elements) {
    assertThat(first.handlespace().size()).isEqualTo(elements);
    assertThat(second.handlespace().size()).isEqualTo(elements);
    assertThat(checksums(first)).isEqualTo(checksums(second));
  }

  @Test
  void aPoolIsFilledUsedListedAndEmptied() {
    act(first, first.start(now));
    while (!first.isServing()) {
      now = first.nextTimerMillis();
      act(first, first.run(now));
    }
    register(first, 1, EARLY);
    isSecondThere = true;
    act(second, second.start(now));
    assertThat(second.isServing()).as("it has copied the first").isTrue();
    bothHave(EARLY);

    register(second, EARLY + 1, ELEMENTS);
    bothHave(ELEMENTS);
    register(second, 1, 100);
    bothHave(ELEMENTS);
    assertThat(checksums(first)).as("a hundred moved to the other home").doesNotContain(Checksum.NONE);
    assertThat(first.handlespace().synchronisation().tableOf(2, Optional.empty(), ELEMENTS).entries())
        .hasSize(ELEMENTS - EARLY + 100);
    pass(now + 10_000, List.of(first, second));
    bothHave(ELEMENTS);

    Set<Integer> met = new HashSet<>();
    for (int i = 0; i < ELEMENTS; i++) {
      met.add(ask(second, caller -> caller.resolve(POOL, 1, 0, 0)).elements().get(0).id());
    }
    assertThat(met).hasSize(ELEMENTS);
    assertThat(ask(first, caller -> caller.resolve(POOL, PoolService.RESOLUTION_ITEMS, 0, 0)).elements())
        .hasSize(PoolService.RESOLUTION_ITEMS);
    listed(first);
    listed(second);

    for (int id = 1; id <= ELEMENTS; id++) {
      int gone = id;
      boolean was = ask(id % 2 == 0 ? first : second, caller -> caller.deregister(POOL, gone));
      assertThat(was).isTrue();
    }
    bothHave(0);
    assertThat(checksums(first)).containsOnly(Checksum.NONE);
    assertThat(ask(first, caller -> caller.pools(PoolsRequest.of(RnsPath.ROOT))).pools()).isEmpty();
  }

  /** Lists full pages in id order. */
  private void listed(Registrar registrar) {
    int seen = 0;
    ElementsRequest request = ElementsRequest.of(POOL);
    for (int pages = 1; pages <= ELEMENTS / PoolsRequest.PAGE; pages++) {
      ElementsRequest next = request;
      ElementPage page = ask(registrar, caller -> caller.elements(next));
      assertThat(page.total()).isEqualTo(ELEMENTS);
      for (ListedElement element : page.elements()) {
        assertThat(element.id()).isEqualTo(++seen);
      }
      assertThat(page.next().isPresent()).isEqualTo(seen < ELEMENTS);
      request = request.from(seen);
    }
    assertThat(seen).isEqualTo(ELEMENTS);
  }
}
