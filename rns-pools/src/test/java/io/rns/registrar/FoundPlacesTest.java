package io.rns.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.rserpool.AsapMessage.ServerAnnounce;
import io.rns.rserpool.EnrpMessage.ListRequest;
import io.rns.rserpool.EnrpMessage.ListResponse;
import io.rns.rserpool.EnrpMessage.Presence;
import io.rns.rserpool.IpAddress;
import io.rns.rserpool.Message;
import io.rns.rserpool.Octets;
import io.rns.rserpool.ServerInformation;
import io.rns.rserpool.Transport;
import io.rns.rserpool.TransportUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Registrars that announced themselves by multicast, in virtual time. */
class FoundPlacesTest {
  private static final int SELF = 7;
  private static final ServerAnnounce OWN =
      new ServerAnnounce(SELF, List.of(SimulatedNetwork.listeningAt(2)), Optional.empty());

  private final FoundPlaces places = new FoundPlaces(1_000);

  private static Transport.Tcp place(int host, int port) {
    return new Transport.Tcp(port, TransportUse.DATA_ONLY,
        new IpAddress(Octets.of((byte) 192, (byte) 0, (byte) 2, (byte) host)));
  }

  private static Registrar registrar(List<Transport> configured, boolean announces) {
    return new Registrar(
        new ServerInformation(SELF, SimulatedNetwork.listeningAt(1)), 0, OneRegistrar.SETTINGS, configured,
        new SplittableRandom(1), announces ? Optional.of(OWN) : Optional.empty());
  }

  private static List<Effect.Send> to(List<Effect> effects, Transport place) {
    return sends(effects).stream().filter(send -> send.to().equals(new Recipient.Listening(place))).toList();
  }

  private static List<Effect.Send> sends(List<Effect> effects) {
    return effects.stream().filter(Effect.Send.class::isInstance).map(Effect.Send.class::cast).toList();
  }

  private static List<Message> multicast(List<Effect> effects) {
    return sends(effects).stream().filter(send -> send.to() instanceof Recipient.Everyone).map(Effect.Send::message)
        .toList();
  }

  @Test
  void oneAddressCannotTakeTheRoomOfOthers() {
    for (int port = 1; port <= FoundPlaces.OF_ADDRESS; port++) {
      assertThat(places.heard(place(1, port), 0)).isTrue();
      assertThat(places.heard(place(1, port), 0)).as("known already").isFalse();
    }
    assertThat(places.heard(place(1, 99), 0)).isFalse();
    assertThat(places.heard(place(2, 99), 0)).isTrue();
    assertThat(places.all(0)).hasSize(FoundPlaces.OF_ADDRESS + 1);
  }

  @Test
  void thereAreAtMost32AndOldOnesAreForgotten() {
    for (int host = 1; host <= FoundPlaces.MOST; host++) {
      assertThat(places.heard(place(host, 1), 0)).isTrue();
    }
    assertThat(places.heard(place(99, 1), 1_000)).isFalse();
    assertThat(places.heard(place(1, 1), 1_000)).isFalse();
    assertThat(places.heard(place(99, 1), 1_001)).isTrue();
    assertThat(places.all(1_001)).containsExactly(place(1, 1), place(99, 1));
  }

  @Test
  void anAnnouncedPlaceIsContactedButNobodyIsAPeerForIt() {
    Registrar registrar = registrar(List.of(), true);
    List<Effect> unused = registrar.start(0);
    List<Effect> begun = registrar.run(RegistrarStartup.FIND_MILLIS);
    assertThat(registrar.isServing()).isTrue();
    assertThat(multicast(begun)).hasSize(2).last().isEqualTo(OWN);
    long now = RegistrarStartup.FIND_MILLIS;
    assertThat(to(registrar.announced(place(1, 1), now), place(1, 1))).hasSize(1)
        .allSatisfy(send -> assertThat(send.message()).isInstanceOf(Presence.class));
    assertThat(to(registrar.announced(place(1, 1), now), place(1, 1))).as("not for each announcement").isEmpty();
    assertThat(registrar.asked(LocalCaller::figures, now).answer().registrars()).isEqualTo(1);
    now = registrar.nextTimerMillis();
    assertThat(to(registrar.run(now), place(1, 1))).as("again with each heartbeat").hasSize(1);
    assertThat(to(registrar.run(now + 60_000), place(1, 1))).as("until it is forgotten").isEmpty();
  }

  @Test
  void whoDoesNotAnnounceItselfIgnoresAnnouncements() {
    Registrar registrar = registrar(List.of(), false);
    assertThat(multicast(registrar.start(0))).isEmpty();
    assertThat(registrar.isServing()).as("at once").isTrue();
    assertThat(to(registrar.announced(place(1, 1), 1), place(1, 1))).isEmpty();
    assertThat(multicast(registrar.run(100_000))).isEmpty();
  }

  @Test
  void aStartingRegistrarCopiesOneThatItHasFound() {
    Registrar registrar = registrar(List.of(), true);
    assertThat(multicast(registrar.start(0))).as("its presence only").hasSize(1).first().isInstanceOf(Presence.class);
    assertThat(registrar.isServing()).isFalse();
    assertThat(to(registrar.announced(place(1, 1), 5), place(1, 1)))
        .extracting(Effect.Send::message).containsExactly(new ListRequest(SELF, 0));
    List<Effect> copying = registrar.received(3, 3, new ListResponse(9, SELF, false, List.of()), 6);
    assertThat(sends(copying)).isNotEmpty();
    assertThat(registrar.isServing()).isFalse();
  }

  /** Whoever connects says itself where it listens, at any address. */
  @Test
  void oneHostCannotTakeTheRoomOfOthersWithWhatItSaysOfItself() {
    Registrar registrar = registrar(List.of(), true);
    List<Effect> effects = new ArrayList<>(registrar.start(0));
    for (int host = 1; host <= 40; host++) {
      effects.addAll(registrar.received(3, 3, presence(100 + host, place(host, 1)), 1));
    }
    effects.addAll(registrar.received(4, 4, presence(200, place(99, 1)), 1));
    List<Transport> asked = new ArrayList<>();
    while (!registrar.isServing()) {
      List<Transport> next =
          sends(effects).stream().filter(send -> send.message() instanceof ListRequest)
              .map(send -> ((Recipient.Listening) send.to()).transport()).toList();
      asked.addAll(next);
      effects = new ArrayList<>();
      if (next.isEmpty()) {
        effects.addAll(registrar.run(registrar.nextTimerMillis()));
      }
      for (Transport place : next) {
        effects.addAll(registrar.refused(place, 2));
      }
    }
    assertThat(asked).contains(place(99, 1)).hasSize(FoundPlaces.OF_ADDRESS + 1);
  }

  private static Presence presence(int id, Transport place) {
    return new Presence(
        id, SELF, false, 0, Optional.of(new ServerInformation(id, place)), Optional.empty(), Optional.empty());
  }

  /** Configured ones are asked first, and have their time. */
  @Test
  void placesThatDoNotAnswerDelayAStartByAFewSecondsAltogether() {
    Registrar registrar = registrar(List.of(place(200, 1)), true);
    List<Effect> unused = registrar.start(0);
    for (int host = 1; host <= 40; host++) {
      for (int port = 1; port <= 9; port++) {
        assertThat(to(registrar.announced(place(host, port), 1), place(host, port))).isEmpty();
      }
    }
    long now = 0;
    int asked = 0;
    while (!registrar.isServing()) {
      now = registrar.nextTimerMillis();
      asked += (int) sends(registrar.run(now)).stream().filter(send -> send.message() instanceof ListRequest).count();
    }
    long noResponse = OneRegistrar.SETTINGS.noResponseMillis();
    assertThat(now).isBetween(RegistrarStartup.FIND_MILLIS, RegistrarStartup.FIND_MILLIS + 2 * noResponse);
    assertThat(asked).isBetween(1, FoundPlaces.MOST);
  }
}
