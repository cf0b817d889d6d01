package io.rns.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.handlespace.HandlespaceSettings;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.HandleResolutionResponse;
import io.rns.rserpool.AsapMessage.RegistrationResponse;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.EnrpMessage.HandleUpdate;
import io.rns.rserpool.EnrpMessage.Presence;
import io.rns.rserpool.ErrorCause;
import io.rns.rserpool.Message;
import io.rns.rserpool.Octets;
import io.rns.rserpool.ServerInformation;
import io.rns.rserpool.UpdateAction;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** A registrar that serves alone, and messages to it. */
abstract class OneRegistrar {
  static final int SELF = 0x8000_0000;
  static final int LOWER = 5;
  static final int HIGHER = -5;
  static final Octets HANDLE = Octets.utf8("/p");
  static final RegistrarSettings SETTINGS =
      new RegistrarSettings(new HandlespaceSettings(9, 9, 2, 3, 1, 100_000, 1_000, 1), 1_000, 3_000, 500, 2_000, 2);

  final Registrar registrar =
      new Registrar(
          new ServerInformation(SELF, SimulatedNetwork.listeningAt(1)), 0, SETTINGS, List.of(),
          new SplittableRandom(1));

  OneRegistrar() {
    registrar.start(0);
  }

  static ElementDescription element(int id, PolicyType policy, int port) {
    return new ElementDescription(
        id,
        0,
        600,
        SimulatedNetwork.listeningAt(port),
        PolicyData.policy(policy, Parameters.PLAIN),
        Optional.of(SimulatedNetwork.listeningAt(port)),
        Optional.empty(),
        Optional.empty());
  }

  static ElementDescription of(int home, long version, int id) {
    ElementDescription plain = element(id, PolicyType.ROUND_ROBIN, 100 + id);
    return new ElementDescription(
        id, home, 600, plain.user(), plain.policy(), plain.control(), Optional.of(version), Optional.empty());
  }

  List<Message> received(long connection, Message message, long now) {
    return sent(registrar.received(connection, connection, message, now));
  }

  static List<Message> sent(List<Effect> effects) {
    return effects.stream().filter(Effect.Send.class::isInstance).map(effect -> ((Effect.Send) effect).message())
        .toList();
  }

  List<Message> register(ElementDescription element) {
    return received(element.id(), new AsapMessage.Registration(HANDLE, element), 1);
  }

  static Presence presence(int peer, boolean reply) {
    ServerInformation information = new ServerInformation(peer, SimulatedNetwork.listeningAt(peer & 0xff));
    return new Presence(peer, 0, reply, 0xffff, Optional.of(information), Optional.of(0L), Optional.empty());
  }

  static int cause(Message message) {
    List<ErrorCause> causes =
        message instanceof RegistrationResponse response && response.rejected()
            ? response.causes()
            : ((HandleResolutionResponse) message).causes();
    assertThat(causes).hasSize(1);
    return causes.get(0).code();
  }

  static HandleUpdate update(UpdateAction action, int sender, int home, long version) {
    return new HandleUpdate(sender, 0, action, HANDLE, of(home, version, 1));
  }
}
