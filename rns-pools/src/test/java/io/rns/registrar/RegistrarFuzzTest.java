package io.rns.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RandomCases;
import io.rns.handlespace.HandlespaceSettings;
import io.rns.rserpool.AsapCodec;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.EnrpCodec;
import io.rns.rserpool.EnrpMessage;
import io.rns.rserpool.RandomMessages;
import io.rns.rserpool.ServerInformation;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** After any messages in any order, the registrar keeps running, its effects can be sent, and no timer is overdue. */
class RegistrarFuzzTest {
  private static final RegistrarSettings SETTINGS =
      new RegistrarSettings(new HandlespaceSettings(3, 9, 5, 3, 1, 50, 20, 1), 40, 100, 30, 60, 2);

  @Test
  void randomMessages() {
    RandomCases.check(
        random -> {
          Registrar registrar =
              new Registrar(
                  new ServerInformation(1 + random.nextInt(2), SimulatedNetwork.listeningAt(1)),
                  0,
                  SETTINGS,
                  random.nextBoolean() ? List.of() : List.of(SimulatedNetwork.listeningAt(2)),
                  new SplittableRandom(random.nextLong()));
          long now = 0;
          check(registrar.start(now));
          for (int i = 0; i < 60; i++) {
            now += random.nextInt(20);
            check(step(registrar, random, now));
            assertThat(registrar.nextTimerMillis()).as("no timer is overdue").isGreaterThan(now);
          }
        });
  }

  private static List<Effect> step(Registrar registrar, RandomGenerator random, long now) {
    RandomMessages messages = new RandomMessages(random);
    int connection = random.nextInt(4);
    return switch (random.nextInt(8)) {
      case 0 -> registrar.run(now);
      case 1 -> registrar.closed(connection, now);
      case 2, 3, 4 -> registrar.received(connection, connection, messages.asap(), now);
      default -> registrar.received(connection, connection, messages.enrp(), now);
    };
  }

  private static void check(List<Effect> effects) {
    for (Effect effect : effects) {
      if (effect instanceof Effect.Send send) {
        byte[] bytes =
            switch (send.message()) {
              case AsapMessage asap -> AsapCodec.encode(asap);
              case EnrpMessage enrp -> EnrpCodec.encode(enrp);
            };
        assertThat(bytes.length).isPositive();
      }
    }
  }
}
