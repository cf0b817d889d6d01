package io.rns.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RnsPath;
import io.rns.handlespace.HandlespaceSettings;
import io.rns.pool.PolicyType;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.DeregistrationResponse;
import io.rns.rserpool.AsapMessage.HandleResolution;
import io.rns.rserpool.AsapMessage.KeepAlive;
import io.rns.rserpool.AsapMessage.Unreachable;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.ElementName;
import io.rns.rserpool.EnrpMessage;
import io.rns.rserpool.EnrpMessage.HandleTableRequest;
import io.rns.rserpool.EnrpMessage.HandleTableResponse;
import io.rns.rserpool.EnrpMessage.HandleUpdate;
import io.rns.rserpool.EnrpMessage.Presence;
import io.rns.rserpool.ErrorCause;
import io.rns.rserpool.Message;
import io.rns.rserpool.Octets;
import io.rns.rserpool.PoolEntry;
import io.rns.rserpool.ServerInformation;
import io.rns.rserpool.Transport;
import io.rns.rserpool.UnreachableElement;
import io.rns.rserpool.UpdateAction;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Messages among registrars. */
class PeerRulesTest extends OneRegistrar {
  @Test
  void peersReceiveElements() {
    received(50, presence(LOWER, false), 1);
    assertThat(register(element(1, PolicyType.ROUND_ROBIN, 101)))
        .contains(new HandleUpdate(SELF, 0, UpdateAction.ADD_ELEMENT, HANDLE, of(SELF, 1, 1)));
    assertThat(received(1, new AsapMessage.Deregistration(HANDLE, 1), 2))
        .contains(new HandleUpdate(SELF, 0, UpdateAction.DELETE_ELEMENT, HANDLE, of(SELF, 1, 1)));
  }

  @Test
  void aNewPeerIsGreetedAndAnsweredAndAudited() {
    assertThat(received(50, presence(LOWER, false), 1)).hasSize(1).first().isInstanceOf(Presence.class);
    assertThat(received(50, presence(LOWER, true), 2)).hasSize(1).first().isInstanceOf(Presence.class);
    Presence other =
        new Presence(LOWER, SELF, false, 0xffff, Optional.empty(), Optional.of(1L), Optional.empty());
    assertThat(received(50, other, 3))
        .containsExactly(new HandleTableRequest(SELF, LOWER, true, Optional.of(new ElementName(Octets.NONE, 0))));
    assertThat(received(50, other, 4)).as("one audit per peer").isEmpty();
    Presence standard = new Presence(HIGHER, 0, false, 0xffff, Optional.empty(), Optional.empty(), Optional.empty());
    assertThat(received(51, standard, 5)).as("without our hash").hasSize(1);
    Presence misled = new Presence(HIGHER, 77, true, 1, Optional.empty(), Optional.empty(), Optional.empty());
    assertThat(received(51, misled, 5)).as("for another registrar").isEmpty();
  }

  @Test
  void oneHostCannotTakeThePlacesOfOtherRegistrars() {
    int known = 0;
    for (int id = 1_000; id < 1_000 + 2 * RegistrarSettings.PEERS; id++) {
      known += sent(registrar.received(50, 50, presence(id, false), 1)).size();
    }
    assertThat(known).isEqualTo(RegistrarSettings.PEERS_OF_HOST);
    assertThat(received(51, presence(LOWER, false), 2)).as("of another host").hasSize(1);
    assertThat(received(50, presence(1_000, true), 3)).as("known before").hasSize(1);
  }

  /** A starting registrar learns the names of others from the first that answers, which may be anybody. */
  @Test
  void peersThatWereOnlyNamedMakeRoomForOneThatSpeaks() {
    Registrar started = starting(9);
    List<ServerInformation> named = new ArrayList<>();
    for (int id = 1_000; id < 1_000 + RegistrarSettings.PEERS; id++) {
      named.add(new ServerInformation(id, SimulatedNetwork.listeningAt(9)));
    }
    started.received(7, 7, new EnrpMessage.ListResponse(LOWER, 3, false, named), 1);
    Optional<ElementName> beginning = Optional.of(new ElementName(Octets.NONE, 0));
    started.received(7, 7, new HandleTableResponse(LOWER, 3, false, false, List.of(), beginning), 2);
    assertThat(started.isServing()).isTrue();
    assertThat(listed(started, 7, LOWER)).as("itself, and all but the first").isEqualTo(RegistrarSettings.PEERS);
    assertThat(listed(started, 8, HIGHER)).as("one less").isEqualTo(RegistrarSettings.PEERS - 1);
    int heard = 0;
    for (ServerInformation server : named) {
      heard += sent(started.received(9, 9, new EnrpMessage.ListRequest(server.id(), 3), 4)).isEmpty() ? 0 : 1;
    }
    assertThat(heard).as("names are no way around the limit of a host").isEqualTo(RegistrarSettings.PEERS_OF_HOST);
  }

  /** The length of the list that a registrar answers a peer with. */
  private static int listed(Registrar registrar, long host, int peer) {
    return sent(registrar.received(host, host, new EnrpMessage.ListRequest(peer, 3), 3)).stream()
        .filter(EnrpMessage.ListResponse.class::isInstance)
        .map(EnrpMessage.ListResponse.class::cast)
        .mapToInt(response -> response.servers().size()).findFirst().orElse(0);
  }

  /** Two elements have room in a pool. */
  @Test
  void elementsWithoutRoomAreCountedAndReportedOnceAMinute() {
    received(50, presence(LOWER, false), 1);
    List<String> warnings = new ArrayList<>();
    for (int id = 1; id <= 4; id++) {
      warnings.addAll(warnings(new HandleUpdate(LOWER, 0, UpdateAction.ADD_ELEMENT, HANDLE, of(LOWER, 1, id)), 2));
    }
    assertThat(warnings).containsExactly(
        "there is no room for elements of registrar 5, such as 3 of pool /p: elements of the pool are limited to 2, and"
            + " this would make 3");
    assertThat(registrar.asked(LocalCaller::memory, 2).answer().refused()).isEqualTo(2);
    HandleUpdate again = new HandleUpdate(LOWER, 0, UpdateAction.ADD_ELEMENT, HANDLE, of(LOWER, 1, 9));
    assertThat(warnings(again, 60_001)).isEmpty();
    assertThat(warnings(again, 60_002)).hasSize(1);
  }

  private List<String> warnings(Message message, long now) {
    return registrar.received(50, 50, message, now).stream()
        .filter(Effect.Warn.class::isInstance).map(effect -> ((Effect.Warn) effect).text()).toList();
  }

  @Test
  void theTableComesInBlocks() {
    for (int id = 1; id <= 5; id++) {
      Octets handle = Octets.utf8("/p" + id);
      received(id, new AsapMessage.Registration(handle, element(id, PolicyType.ROUND_ROBIN, 100 + id)), 1);
    }
    // Our registrars send their position, so a lost answer can be repeated; others rely on the position we remember.
    Optional<ElementName> after = Optional.of(new ElementName(Octets.utf8("/p2"), 2));
    for (int i = 0; i < 2; i++) {
      assertThat(received(50, new HandleTableRequest(LOWER, SELF, true, after), 2))
          .contains(new HandleTableResponse(SELF, LOWER, true, false, List.of(entry(3), entry(4)), after));
    }
    assertThat(received(51, new HandleTableRequest(HIGHER, SELF, false, Optional.empty()), 2))
        .contains(new HandleTableResponse(SELF, HIGHER, true, false, List.of(entry(1), entry(2)), Optional.empty()));
    assertThat(received(51, new HandleTableRequest(HIGHER, SELF, false, Optional.empty()), 3))
        .contains(new HandleTableResponse(SELF, HIGHER, true, false, List.of(entry(3), entry(4)), Optional.empty()));
    assertThat(received(51, new HandleTableRequest(HIGHER, SELF, false, Optional.empty()), 4))
        .contains(new HandleTableResponse(SELF, HIGHER, false, false, List.of(entry(5)), Optional.empty()));
    assertThat(received(51, new HandleTableRequest(HIGHER, SELF, false, Optional.empty()), 5))
        .as("from the start")
        .contains(new HandleTableResponse(SELF, HIGHER, true, false, List.of(entry(1), entry(2)), Optional.empty()));
    assertThat(received(51, new HandleTableRequest(HIGHER, SELF, false, Optional.empty()), 506))
        .as("the position expired")
        .contains(new HandleTableResponse(SELF, HIGHER, true, false, List.of(entry(1), entry(2)), Optional.empty()));
  }

  /** The block was empty, so that whoever asked took the rest for gone. */
  @Test
  void anElementIsGivenAlsoIfItDoesNotFitBesideTheNameOfTheOneBefore() {
    received(50, presence(LOWER, false), 1);
    Octets handle = Octets.utf8(("/" + "n".repeat(250)).repeat(8));
    register(handle, element(1, PolicyType.ROUND_ROBIN, 101));
    register(Octets.utf8("/z"), large(2));
    assertThat(registrar.handlespace().size()).isEqualTo(2);
    Optional<ElementName> first = Optional.of(new ElementName(handle, 1));
    List<Message> given = received(50, new HandleTableRequest(LOWER, SELF, true, first), 2);
    assertThat(given).singleElement().isInstanceOfSatisfying(
        HandleTableResponse.class, response -> assertThat(response.pools()).singleElement()
            .satisfies(pool -> assertThat(pool.elements()).extracting(ElementDescription::id).containsExactly(2)));
  }

  private void register(Octets handle, ElementDescription element) {
    List<Message> unused = received(element.id(), new AsapMessage.Registration(handle, element), 1);
  }

  /** One whose announcement is nearly as long as it may be. */
  private static ElementDescription large(int id) {
    byte[] reference =
        ("<a:EndpointReference xmlns:a='http://www.w3.org/2005/08/addressing'><a:Address>http://a/"
            + "x".repeat(RegistrarSettings.ELEMENT_BYTES - 500) + "</a:Address></a:EndpointReference>")
            .getBytes(StandardCharsets.UTF_8);
    byte[] all = ByteBuffer.allocate(4 + reference.length).putInt(reference.length).put(reference).array();
    ElementDescription plain = element(id, PolicyType.ROUND_ROBIN, 102);
    return new ElementDescription(
        id, 0, 600, new Transport.Opaque(Octets.of(all)), plain.policy(), plain.control(), Optional.empty(),
        Optional.empty());
  }

  /** Whoever has more, and sends nothing of it, has not shown what is gone. */
  @Test
  void anEmptyBlockOfMoreRemovesNothing() {
    received(50, update(UpdateAction.ADD_ELEMENT, LOWER, LOWER, 3), 1);
    received(50, presence(LOWER, false), 2);
    Optional<ElementName> beginning = Optional.of(new ElementName(Octets.NONE, 0));
    received(50, new HandleTableResponse(LOWER, SELF, true, false, List.of(), beginning), 3);
    registrar.run(3 + 1_625);
    assertThat(registrar.handlespace().size()).isEqualTo(1);
  }

  private static PoolEntry entry(int id) {
    return new PoolEntry(Octets.utf8("/p" + id), List.of(of(SELF, id, id)));
  }

  /** A late answer to an abandoned request must not pass for the start of a new one: the rest would be purged. */
  @Test
  void aLateBlockIsIgnored() {
    received(50, update(UpdateAction.ADD_ELEMENT, LOWER, LOWER, 3), 1);
    received(50, presence(LOWER, false), 2);
    Optional<ElementName> late = Optional.of(new ElementName(Octets.utf8("/a"), 9));
    received(50, new HandleTableResponse(LOWER, SELF, false, false, List.of(), late), 3);
    for (long now = 100; now < 2_900; now += 100) {
      registrar.run(now);
    }
    assertThat(registrar.handlespace().size()).isEqualTo(1);
    received(50, presence(LOWER, false), 2_900);
    Optional<ElementName> beginning = Optional.of(new ElementName(Octets.NONE, 0));
    received(50, new HandleTableResponse(LOWER, SELF, false, false, List.of(), beginning), 2_901);
    assertThat(registrar.handlespace().size()).as("not at once").isEqualTo(1);
    registrar.run(2_901 + 1_625);
    assertThat(registrar.handlespace().size()).isZero();
  }

  @Test
  void removalsAreAcceptedFromTheHomeOrWithANewerVersion() {
    received(50, update(UpdateAction.ADD_ELEMENT, LOWER, LOWER, 3), 1);
    received(51, update(UpdateAction.DELETE_ELEMENT, HIGHER, HIGHER, 3), 2);
    assertThat(registrar.handlespace().size()).as("not the home").isEqualTo(1);
    received(51, update(UpdateAction.DELETE_ELEMENT, HIGHER, HIGHER, 4), 2);
    assertThat(registrar.handlespace().size()).as("newer").isZero();
    received(50, update(UpdateAction.ADD_ELEMENT, LOWER, LOWER, 5), 3);
    received(50, update(UpdateAction.DELETE_ELEMENT, LOWER, LOWER, 5), 4);
    assertThat(registrar.handlespace().size()).as("the home").isZero();
  }

  /**
   * A registrar that took over while isolated may remove a live element: the home sends a keep-alive instead of
   * removing it.
   */
  @Test
  void theHomeSendsAKeepAliveBeforeRemoval() {
    register(element(1, PolicyType.ROUND_ROBIN, 101));
    assertThat(received(50, update(UpdateAction.DELETE_ELEMENT, LOWER, LOWER, 1), 2))
        .contains(new KeepAlive(false, SELF, HANDLE));
    assertThat(registrar.handlespace().size()).isEqualTo(1);
    received(50, update(UpdateAction.ADD_ELEMENT, LOWER, SELF, 99), 3);
    assertThat(registrar.handlespace().element(Descriptions.key(HANDLE, 1)))
        .as("announcements of its own elements are ignored")
        .hasValueSatisfying(known -> assertThat(known.version()).isEqualTo(1));
  }

  @Test
  void deregisteringAnElementOfAnotherHomeRemovesItEverywhere() {
    received(50, update(UpdateAction.ADD_ELEMENT, LOWER, LOWER, 3), 1);
    assertThat(received(1, new AsapMessage.Deregistration(HANDLE, 1), 2))
        .contains(new HandleUpdate(SELF, 0, UpdateAction.DELETE_ELEMENT, HANDLE, of(SELF, 4, 1)));
  }

  @Test
  void onePolicyWinsEverywhere() {
    register(element(1, PolicyType.RANDOM, 101));
    HandleUpdate first = update(UpdateAction.ADD_ELEMENT, LOWER, LOWER, 3);
    assertThat(received(50, first, 2))
        .anySatisfy(m -> assertThat(m).isInstanceOf(DeregistrationResponse.class))
        .anySatisfy(m -> assertThat(m).isInstanceOf(HandleUpdate.class));
    assertThat(registrar.handlespace().policy(RnsPath.parse("/p"))).contains(PolicyType.ROUND_ROBIN);
    ElementDescription loser = element(9, PolicyType.RANDOM, 109);
    ElementDescription told =
        new ElementDescription(
            9, LOWER, 600, loser.user(), loser.policy(), loser.control(), Optional.of(9L), Optional.empty());
    received(50, new HandleUpdate(LOWER, 0, UpdateAction.ADD_ELEMENT, HANDLE, told), 3);
    assertThat(registrar.handlespace().policy(RnsPath.parse("/p"))).contains(PolicyType.ROUND_ROBIN);
    assertThat(registrar.handlespace().size()).isEqualTo(1);
  }

  @Test
  void reportsAreForwardedToTheHome() {
    received(50, presence(LOWER, false), 1);
    received(50, update(UpdateAction.ADD_ELEMENT, LOWER, LOWER, 3), 1);
    assertThat(received(9, new Unreachable(HANDLE, 1), 2))
        .singleElement()
        .isInstanceOfSatisfying(
            Presence.class, p -> assertThat(p.unreachable())
                .contains(new UnreachableElement(new ElementName(HANDLE, 1), Optional.of(9L))));
    register(element(2, PolicyType.ROUND_ROBIN, 102));
    Presence report =
        new Presence(LOWER, SELF, false, 0, Optional.empty(), Optional.empty(),
            Optional.of(new UnreachableElement(new ElementName(HANDLE, 2), Optional.of(9L))));
    assertThat(received(50, report, 3)).contains(new KeepAlive(false, SELF, HANDLE));
    received(9, new Unreachable(HANDLE, 2), 4);
    assertThat(registrar.handlespace().size()).as("the same user has reported it to both").isEqualTo(2);
    Presence nameless =
        new Presence(LOWER, SELF, false, 0, Optional.empty(), Optional.empty(),
            Optional.of(new UnreachableElement(new ElementName(HANDLE, 2), Optional.empty())));
    received(50, nameless, 5);
    assertThat(registrar.handlespace().size()).as("a peer that names nobody is another").isEqualTo(1);
  }

  @Test
  void aStartingRegistrarRejectsUntilItHasCopied() {
    Registrar second =
        new Registrar(
            new ServerInformation(3, SimulatedNetwork.listeningAt(3)),
            0,
            SETTINGS,
            List.of(SimulatedNetwork.listeningAt(1), SimulatedNetwork.listeningAt(2)),
            new SplittableRandom(1));
    assertThat(sent(second.start(0))).containsExactly(new EnrpMessage.ListRequest(3, 0));
    assertThat(cause(sent(second.received(9, 9, new HandleResolution(false, HANDLE), 1)).get(0)))
        .isEqualTo(ErrorCause.NO_RESOURCES);
    assertThat(sent(second.received(8, 8, new HandleTableRequest(LOWER, 3, true, Optional.empty()), 1)))
        .containsExactly(new HandleTableResponse(3, LOWER, false, true, List.of(), Optional.empty()));
    assertThat(sent(second.received(7, 7, new EnrpMessage.ListResponse(LOWER, 3, true, List.of()), 2)))
        .as("the next place")
        .containsExactly(new EnrpMessage.ListRequest(3, 0));
    ServerInformation known = new ServerInformation(HIGHER, SimulatedNetwork.listeningAt(9));
    assertThat(sent(second.received(7, 7, new EnrpMessage.ListResponse(LOWER, 3, false, List.of(known)), 3)))
        .containsExactly(new HandleTableRequest(3, LOWER, false, Optional.of(new ElementName(Octets.NONE, 0))));
    assertThat(second.isServing()).isFalse();
    Optional<ElementName> beginning = Optional.of(new ElementName(Octets.NONE, 0));
    PoolEntry pool = new PoolEntry(HANDLE, List.of(of(LOWER, 1, 1)));
    second.received(7, 7, new HandleTableResponse(LOWER, 3, false, false, List.of(pool), beginning), 4);
    assertThat(second.isServing()).isTrue();
    assertThat(second.handlespace().size()).isEqualTo(1);
  }

  private static final long PAUSE = SETTINGS.noResponseMillis() - 1;

  /** A registrar that looks for others at two places. */
  private static Registrar starting(int elements) {
    RegistrarSettings settings =
        new RegistrarSettings(
            new HandlespaceSettings(9, elements, 2, 3, 1, 100_000, 1_000, 1), 1_000, 3_000,
            SETTINGS.noResponseMillis(), 2_000, 2);
    Registrar made =
        new Registrar(
            new ServerInformation(3, SimulatedNetwork.listeningAt(3)), 0, settings,
            List.of(SimulatedNetwork.listeningAt(1), SimulatedNetwork.listeningAt(2)), new SplittableRandom(1));
    assertThat(sent(made.start(0))).containsExactly(new EnrpMessage.ListRequest(3, 0));
    return made;
  }

  private static EnrpMessage.ListResponse list(int sender) {
    return new EnrpMessage.ListResponse(sender, 3, false, List.of());
  }

  /**
   * Sends a table of one element a block to a starting registrar, until it asks for no more.
   *
   * @return the number of elements, and the effects of the last one
   */
  private static Map.Entry<Integer, List<Effect>> sendWithoutEnd(Registrar starting, long pause) {
    assertThat(sent(starting.received(7, 7, list(LOWER), 0))).hasSize(1);
    ElementName after = new ElementName(Octets.NONE, 0);
    for (int id = 1; id < 10_000; id++) {
      PoolEntry pool = new PoolEntry(HANDLE, List.of(of(LOWER, 1, id)));
      List<Effect> effects =
          starting.received(
              7, 7, new HandleTableResponse(LOWER, 3, true, false, List.of(pool), Optional.of(after)), id * pause);
      if (sent(effects).stream().noneMatch(HandleTableRequest.class::isInstance)) {
        return Map.entry(id, effects);
      }
      after = new ElementName(HANDLE, id);
    }
    throw new AssertionError("the table is read without end");
  }

  @Test
  void aTableWithoutEndIsGivenUpAndTheNextPlaceAsked() {
    Registrar starting = starting(9);
    Map.Entry<Integer, List<Effect>> last = sendWithoutEnd(starting, 0);
    assertThat(last.getKey()).as("twice what may be registered").isEqualTo(18);
    assertThat(last.getValue()).contains(
        new Effect.Warn(
            "the copy from registrar 5 is given up, incomplete after 18 elements and 0 s: it may have 18 elements"
                + " and take 300 s"));
    assertThat(starting.isServing()).isFalse();
    assertThat(sent(starting.received(7, 7, list(9), 1))).as("there is one answer for each place").isEmpty();
    assertThat(sent(starting.run(starting.nextTimerMillis()))).containsExactly(new EnrpMessage.ListRequest(3, 0));
    assertThat(sent(starting.received(8, 8, list(HIGHER), 600))).hasSize(1);
    Optional<ElementName> beginning = Optional.of(new ElementName(Octets.NONE, 0));
    starting.received(8, 8, new HandleTableResponse(HIGHER, 3, false, false, List.of(), beginning), 601);
    assertThat(starting.isServing()).isTrue();
  }

  @Test
  void aTableThatComesSlowlyIsGivenUpAndTheNextPlaceAsked() {
    Registrar starting = starting(1_000_000);
    Map.Entry<Integer, List<Effect>> last = sendWithoutEnd(starting, PAUSE);
    assertThat(last.getKey() * PAUSE).isBetween(PeerTables.COPY_MILLIS, PeerTables.COPY_MILLIS + PAUSE);
    assertThat(last.getValue()).filteredOn(Effect.Warn.class::isInstance).singleElement().asString()
        .contains("after " + last.getKey() + " elements and 300 s");
    assertThat(sent(last.getValue())).containsExactly(new EnrpMessage.ListRequest(3, 0));
    assertThat(starting.isServing()).isFalse();
  }

  /** A server that starts while the others are down waits for no timeout. */
  @Test
  void aRegistrarRefusedEverywhereServesAtOnce() {
    Registrar alone =
        new Registrar(
            new ServerInformation(3, SimulatedNetwork.listeningAt(3)),
            0,
            SETTINGS,
            List.of(SimulatedNetwork.listeningAt(1), SimulatedNetwork.listeningAt(2)),
            new SplittableRandom(1));
    assertThat(sent(alone.start(0))).containsExactly(new EnrpMessage.ListRequest(3, 0));
    assertThat(sent(alone.refused(SimulatedNetwork.listeningAt(2), 1))).as("not the place being asked").isEmpty();
    assertThat(sent(alone.refused(SimulatedNetwork.listeningAt(1), 2)))
        .as("the next place")
        .containsExactly(new EnrpMessage.ListRequest(3, 0));
    assertThat(alone.isServing()).isFalse();
    assertThat(sent(alone.refused(SimulatedNetwork.listeningAt(2), 3))).hasSize(2)
        .allSatisfy(m -> assertThat(m).isInstanceOf(Presence.class));
    assertThat(alone.isServing()).isTrue();
    assertThat(sent(alone.refused(SimulatedNetwork.listeningAt(1), 4))).as("later ones change nothing").isEmpty();
  }

  @Test
  void aRegistrarWithoutPeersServesAlone() {
    Registrar alone =
        new Registrar(
            new ServerInformation(3, SimulatedNetwork.listeningAt(3)),
            0,
            SETTINGS,
            List.of(SimulatedNetwork.listeningAt(1)),
            new SplittableRandom(1));
    alone.start(0);
    assertThat(alone.nextTimerMillis()).isEqualTo(500);
    assertThat(sent(alone.run(500))).as("still looks for others").singleElement().isInstanceOf(Presence.class);
    assertThat(alone.isServing()).isTrue();
  }
}
