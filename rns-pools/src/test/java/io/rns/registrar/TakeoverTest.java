package io.rns.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.RnsPath;
import io.rns.handlespace.ElementKey;
import io.rns.pool.PolicyType;
import io.rns.rserpool.AsapMessage.KeepAlive;
import io.rns.rserpool.AsapMessage.KeepAliveAck;
import io.rns.rserpool.EnrpMessage.InitTakeover;
import io.rns.rserpool.EnrpMessage.InitTakeoverAck;
import io.rns.rserpool.EnrpMessage.Presence;
import io.rns.rserpool.EnrpMessage.TakeoverServer;
import io.rns.rserpool.Message;
import io.rns.rserpool.UpdateAction;
import org.junit.jupiter.api.Test;

/** Silent peers and takeovers. */
class TakeoverTest extends OneRegistrar {
  @Test
  void aSilentPeerIsAskedThenTakenOverInTwoPhases() {
    received(50, presence(LOWER, false), 1);
    received(51, presence(HIGHER, false), 1);
    received(50, update(UpdateAction.ADD_ELEMENT, LOWER, LOWER, 3), 1);
    received(51, presence(HIGHER, false), 2_500);
    assertThat(sent(registrar.run(2_999))).noneMatch(TakeoverTest::asksLower);
    assertThat(sent(registrar.run(3_001))).anyMatch(TakeoverTest::asksLower);
    assertThat(sent(registrar.run(3_501)))
        .contains(new InitTakeover(SELF, LOWER, LOWER), new InitTakeover(SELF, HIGHER, LOWER))
        .noneMatch(m -> m instanceof TakeoverServer);
    assertThat(received(51, new InitTakeoverAck(HIGHER, SELF, LOWER), 3_600))
        .contains(new TakeoverServer(SELF, 0, LOWER), new KeepAlive(true, SELF, HANDLE));
    assertThat(registrar.handlespace().synchronisation().homes()).containsExactly(SELF);
    received(1, new KeepAliveAck(HANDLE, 1), 3_700);
    assertThat(registrar.handlespace().size()).isEqualTo(1);
  }

  @Test
  void aLiveTargetCancelsTheTakeover() {
    silence();
    received(50, presence(LOWER, false), 3_550);
    assertThat(received(51, new InitTakeoverAck(HIGHER, SELF, LOWER), 3_600))
        .noneMatch(m -> m instanceof TakeoverServer);
  }

  private static boolean asksLower(Message message) {
    return message instanceof Presence presence && presence.replyRequired() && presence.receiver() == LOWER;
  }

  private void silence() {
    received(50, presence(LOWER, false), 1);
    received(51, presence(HIGHER, false), 2_500);
    registrar.run(3_001);
    assertThat(sent(registrar.run(3_501))).contains(new InitTakeover(SELF, HIGHER, LOWER));
  }

  /** Of two registrars, the one with the smaller id yields and agrees; it waits before it tries again. */
  @Test
  void theSmallerIdYields() {
    silence();
    assertThat(received(51, new InitTakeover(HIGHER, SELF, LOWER), 3_510))
        .containsExactly(new InitTakeoverAck(SELF, HIGHER, LOWER));
    assertThat(received(51, new InitTakeoverAck(HIGHER, SELF, LOWER), 3_520)).isEmpty();
    assertThat(sent(registrar.run(5_509))).noneMatch(m -> m instanceof InitTakeover);
    received(51, presence(HIGHER, false), 5_509);
    assertThat(sent(registrar.run(5_511))).contains(new InitTakeover(SELF, HIGHER, LOWER));
    int third = 7;
    received(52, presence(third, false), 5_512);
    assertThat(received(52, new InitTakeover(third, SELF, LOWER), 5_513)).as("the larger id continues").isEmpty();
  }

  /** A table may name a home that failed before this registrar started. */
  @Test
  void elementsOfAnUnknownHomeGetANewHome() {
    int unheard = 77;
    received(50, update(UpdateAction.ADD_ELEMENT, LOWER, unheard, 3), 1);
    received(50, presence(LOWER, false), 2_500);
    registrar.run(3_001);
    assertThat(sent(registrar.run(3_501))).contains(new InitTakeover(SELF, LOWER, unheard));
    assertThat(received(50, new InitTakeoverAck(LOWER, SELF, unheard), 3_502))
        .contains(new TakeoverServer(SELF, 0, unheard), new KeepAlive(true, SELF, HANDLE));
  }

  /** A registrar that was only cut off returns with the state of before; its id is the higher one. */
  @Test
  void anElementStaysWithTheNewHomeItHasAnswered() {
    received(51, presence(HIGHER, false), 1);
    received(51, update(UpdateAction.ADD_ELEMENT, HIGHER, HIGHER, 3), 1);
    registrar.run(3_002);
    assertThat(sent(registrar.run(3_503))).contains(new KeepAlive(true, SELF, HANDLE));
    received(50, presence(LOWER, false), 3_550);
    assertThat(received(1, new KeepAliveAck(HANDLE, 1), 3_600))
        .contains(update(UpdateAction.ADD_ELEMENT, SELF, SELF, 4));
    received(51, update(UpdateAction.ADD_ELEMENT, HIGHER, HIGHER, 3), 4_000);
    assertThat(registrar.handlespace().synchronisation().homes()).containsExactly(SELF);
    assertThat(received(1, new KeepAliveAck(HANDLE, 1), 4_001)).as("it knows its home already").isEmpty();
  }

  /** As long as it has not answered, the former home may be the one that reaches it. */
  @Test
  void theRemovalOfASilentElementIsNotBelievedByItsFormerHome() {
    register(element(1, PolicyType.ROUND_ROBIN, 101));
    long version = registrar.handlespace().element(new ElementKey(RnsPath.parse("/p"), 1)).orElseThrow().version();
    received(51, presence(HIGHER, false), 2);
    assertThat(received(51, update(UpdateAction.DELETE_ELEMENT, HIGHER, HIGHER, version), 3))
        .containsExactly(new KeepAlive(false, SELF, HANDLE));
    assertThat(registrar.handlespace().size()).isEqualTo(1);
  }

  @Test
  void aLiveTargetProtests() {
    received(51, presence(HIGHER, false), 1);
    assertThat(received(51, new InitTakeover(HIGHER, SELF, SELF), 2)).hasSize(1).first().isInstanceOf(Presence.class);
    assertThat(received(51, new TakeoverServer(HIGHER, 0, SELF), 3)).hasSize(1).first().isInstanceOf(Presence.class);
  }

  @Test
  void aTakeoverIsRepeatedUntilAllAgree() {
    silence();
    received(51, presence(HIGHER, false), 5_400);
    assertThat(sent(registrar.run(5_501))).contains(new InitTakeover(SELF, HIGHER, LOWER));
  }
}
