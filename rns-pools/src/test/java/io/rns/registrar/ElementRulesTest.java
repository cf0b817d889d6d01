package io.rns.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.EndpointReference;
import io.rns.pool.PolicyType;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.AsapMessage.DeregistrationResponse;
import io.rns.rserpool.AsapMessage.HandleResolution;
import io.rns.rserpool.AsapMessage.HandleResolutionResponse;
import io.rns.rserpool.AsapMessage.KeepAlive;
import io.rns.rserpool.AsapMessage.KeepAliveAck;
import io.rns.rserpool.AsapMessage.RegistrationResponse;
import io.rns.rserpool.AsapMessage.Unreachable;
import io.rns.rserpool.ElementDescription;
import io.rns.rserpool.ErrorCause;
import io.rns.rserpool.Message;
import io.rns.rserpool.Octets;
import io.rns.rserpool.Transport;
import io.rns.rserpool.TransportUse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Requests of elements and users, and their effects. */
class ElementRulesTest extends OneRegistrar {
  @Test
  void elementsRegisterResolveAndDeregister() {
    assertThat(register(element(1, PolicyType.ROUND_ROBIN, 101)))
        .containsExactly(new RegistrationResponse(false, HANDLE, 1, List.of()));
    assertThat(received(9, new HandleResolution(true, HANDLE), 2))
        .containsExactly(
            new HandleResolutionResponse(
                false, HANDLE, Optional.of(of(0, 0, 1).policy()), List.of(of(SELF, 1, 1)), List.of()));
    assertThat(received(1, new AsapMessage.Deregistration(HANDLE, 1), 3))
        .containsExactly(new DeregistrationResponse(HANDLE, 1, List.of()));
    assertThat(received(1, new AsapMessage.Deregistration(HANDLE, 1), 3)).as("answered with success").hasSize(1);
    assertThat(cause(received(9, new HandleResolution(false, HANDLE), 4).get(0))).isEqualTo(ErrorCause.UNKNOWN_HANDLE);
  }

  @Test
  void rejectionsNameTheirCause() {
    register(element(1, PolicyType.ROUND_ROBIN, 101));
    assertThat(cause(register(element(1, PolicyType.ROUND_ROBIN, 102)).get(0))).isEqualTo(ErrorCause.ID_NOT_UNIQUE);
    assertThat(cause(register(element(2, PolicyType.RANDOM, 102)).get(0))).isEqualTo(ErrorCause.OTHER_POLICY);
    register(element(2, PolicyType.ROUND_ROBIN, 102));
    assertThat(cause(register(element(3, PolicyType.ROUND_ROBIN, 103)).get(0))).isEqualTo(ErrorCause.NO_RESOURCES);
    assertThat(text(register(element(1, PolicyType.ROUND_ROBIN, 102)).get(0)))
        .isEqualTo("id 1 belongs to another element of pool /p");
    assertThat(text(register(element(2, PolicyType.RANDOM, 102)).get(0)))
        .isEqualTo("the policy is rr, not rand, in pool /p");
    assertThat(text(register(element(3, PolicyType.ROUND_ROBIN, 103)).get(0)))
        .contains("limited to 2: no room in pool /p");
    ElementDescription plain = element(3, PolicyType.ROUND_ROBIN, 103);
    for (String handle : List.of("p", "/", "")) {
      Message answer = received(3, new AsapMessage.Registration(Octets.utf8(handle), plain), 1).get(0);
      assertThat(cause(answer)).as(handle).isEqualTo(ErrorCause.INVALID_VALUES);
    }
    assertThat(cause(received(9, new HandleResolution(false, Octets.utf8("p")), 1).get(0)))
        .isEqualTo(ErrorCause.INVALID_VALUES);
  }

  private static String text(Message refusal) {
    return new String(((RegistrationResponse) refusal).causes().get(0).information().toBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void theFirstElementDeterminesTheTransport() {
    register(element(1, PolicyType.ROUND_ROBIN, 101));
    ElementDescription plain = element(2, PolicyType.ROUND_ROBIN, 102);
    Transport.Tcp control = (Transport.Tcp) plain.user();
    Transport data =
        new Transport.Tcp(102, TransportUse.DATA_ONLY, control.address());
    assertThat(cause(register(with(plain, data)).get(0))).isEqualTo(ErrorCause.OTHER_TRANSPORT_USE);
    Transport udp = new Transport.Udp(102, control.address());
    assertThat(cause(register(with(plain, udp)).get(0))).isEqualTo(ErrorCause.OTHER_TRANSPORT);
    assertThat(registrar.handlespace().size()).isEqualTo(1);
  }

  private static ElementDescription with(ElementDescription element, Transport user) {
    return new ElementDescription(
        element.id(), 0, 600, user, element.policy(), element.control(), Optional.empty(), Optional.empty());
  }

  /** A handle of 4 KiB works. An element too long for a message to a peer is rejected with the limit. */
  @Test
  void handlesMayBeLong() {
    for (int bytes : new int[]{4_096, 32_768}) {
      StringBuilder handle = new StringBuilder();
      while (handle.length() < bytes) {
        handle.append('/').append("x".repeat(Math.min(1_000, Math.max(1, bytes - handle.length() - 1))));
      }
      String text = handle.substring(0, bytes);
      Octets octets = Octets.utf8(text.endsWith("/") ? text.substring(0, bytes - 1) : text);
      ElementDescription element = element(1, PolicyType.ROUND_ROBIN, 101);
      assertThat(received(1, new AsapMessage.Registration(octets, element), 1))
          .containsExactly(new RegistrationResponse(false, octets, 1, List.of()));
      assertThat(received(9, new HandleResolution(false, octets), 1))
          .first()
          .isInstanceOfSatisfying(HandleResolutionResponse.class, r -> assertThat(r.elements()).hasSize(1));
    }
    String address = "http://h/" + "x".repeat(60_000);
    var references = List.of(EndpointReference.ofAddress(address));
    Octets handle = Octets.utf8("/" + "y".repeat(1_000) + "/" + "y".repeat(1_000) + "/" + "y".repeat(1_000) + "/"
        + "y".repeat(1_000) + "/" + "y".repeat(900));
    ElementDescription large = with(element(7, PolicyType.ROUND_ROBIN, 1), Endpoints.transport(references));
    assertThat(received(7, new AsapMessage.Registration(handle, large), 1))
        .first()
        .isInstanceOfSatisfying(
            RegistrationResponse.class,
            r -> {
              assertThat(r.rejected()).isTrue();
              assertThat(r.causes().get(0).code()).isEqualTo(ErrorCause.NO_RESOURCES);
              assertThat(new String(r.causes().get(0).information().toBytes(), StandardCharsets.UTF_8))
                  .contains("65000 bytes");
            });
  }

  @Test
  void userReportsRemoveAnElement() {
    register(element(1, PolicyType.ROUND_ROBIN, 101));
    assertThat(received(9, new Unreachable(HANDLE, 1), 2)).containsExactly(new KeepAlive(false, SELF, HANDLE));
    assertThat(received(9, new Unreachable(HANDLE, 1), 3)).as("a user counts once").isEmpty();
    assertThat(registrar.handlespace().size()).isEqualTo(1);
    assertThat(received(8, new Unreachable(HANDLE, 1), 3)).hasSize(1).first()
        .isInstanceOf(DeregistrationResponse.class);
    assertThat(registrar.handlespace().size()).isZero();
    assertThat(received(1, new KeepAliveAck(HANDLE, 1), 4))
        .as("it is alive and must register again")
        .hasSize(1)
        .first()
        .isInstanceOf(DeregistrationResponse.class);
  }

  /** Many users behind a broken firewall: the element answers its home, so it is well. */
  @Test
  void anAnswerRefutesTheReports() {
    register(element(1, PolicyType.ROUND_ROBIN, 101));
    for (int user = 10; user < 30; user++) {
      assertThat(received(user, new Unreachable(HANDLE, 1), user)).containsExactly(new KeepAlive(false, SELF, HANDLE));
      received(1, new KeepAliveAck(HANDLE, 1), user);
    }
    assertThat(registrar.handlespace().size()).isEqualTo(1);
  }

  @Test
  void aLostConnectionTriggersAKeepAlive() {
    register(element(1, PolicyType.ROUND_ROBIN, 101));
    assertThat(registrar.closed(1, 5))
        .containsExactly(
            new Effect.Send(
                new Recipient.Listening(SimulatedNetwork.listeningAt(101)), new KeepAlive(false, SELF, HANDLE)));
    registrar.run(1_005);
    assertThat(registrar.handlespace().size()).isZero();
  }

  /** A clock set back delays timers and has no other effect. */
  @Test
  void timeDoesNotGoBack() {
    register(element(1, PolicyType.ROUND_ROBIN, 101));
    registrar.run(5_000);
    assertThat(registrar.run(-1_000_000)).isEmpty();
    assertThat(registrar.handlespace().size()).isEqualTo(1);
  }
}
