package io.rns.server.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.Limits;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All requests share one pool; small ones do without it. */
class RequestMemoryTest {
  private static final int UNIT = MemoryPool.UNIT_BYTES;
  private static final Duration BOUND = Duration.ofSeconds(30);

  private final MemoryPool pool = new MemoryPool(10 * UNIT);

  private static void refused(Runnable taking) {
    assertThatThrownBy(taking::run)
        .isInstanceOfSatisfying(
            RnsException.class,
            e -> {
              assertThat(e.error()).isEqualTo(RnsError.BUSY);
              assertThat(e.retryMillis()).isPresent();
            })
        .hasMessageContaining("the limit of the server is " + 10 * UNIT + " bytes");
  }

  @Test
  void whatOneHoldsTheOthersDoNotGet() {
    RequestMemory one = pool.open();
    RequestMemory other = pool.open();
    one.take(6 * UNIT);
    refused(() -> other.take(5 * UNIT));
    other.take(4 * UNIT);
    assertThat(pool.taken()).isEqualTo(pool.bytes());
    one.giveBack(UNIT);
    other.take(UNIT);
    one.close();
    other.close();
    other.close();
    assertThat(pool.taken()).isZero();
  }

  @Test
  void smallRequestsAreServedWhenNothingIsLeft() {
    RequestMemory all = pool.open();
    all.take(pool.bytes());
    RequestMemory small = pool.open();
    small.take(RequestMemory.FREE_BYTES);
    refused(() -> small.take(1));
    assertThat(pool.taken()).isEqualTo(pool.bytes());
  }

  @Test
  void theLastReadIsHeldAndNoOther() {
    RequestMemory request = pool.open();
    request.take(2 * UNIT);
    for (int read = 0; read < 20; read++) {
      request.dropRead();
      request.take(5 * UNIT);
      request.keepRead(5 * UNIT);
      assertThat(pool.taken()).isEqualTo(7 * UNIT);
    }
    request.close();
    assertThat(pool.taken()).isZero();
  }

  @Test
  void anAnswerThatHasBegunWaits() throws Exception {
    RequestMemory other = pool.open();
    other.take(8 * UNIT);
    RequestMemory begun = pool.open();
    begun.bePatient();
    Thread waiting = Thread.ofVirtual().start(() -> begun.take(5 * UNIT));
    Eventually.until("it waits", BOUND, () -> waiting.getState() == Thread.State.TIMED_WAITING);
    other.close();
    assertThat(waiting.join(BOUND)).isTrue();
    assertThat(pool.taken()).isEqualTo(5 * UNIT);
  }

  @Test
  void whatIsReservedIsThereForTheNextRead() {
    RequestMemory request = pool.open();
    request.take(2 * UNIT);
    request.reserve(5 * UNIT);
    assertThat(pool.taken()).isEqualTo(7 * UNIT);
    RequestMemory other = pool.open();
    other.take(3 * UNIT);
    request.takeNow(2 * UNIT);
    request.giveBack(2 * UNIT);
    request.takeNow(4 * UNIT);
    request.bePatient();
    refused(() -> request.takeNow(2 * UNIT));
    request.keepRead(4 * UNIT);
    assertThat(pool.taken()).as("what was not needed").isEqualTo(9 * UNIT);
    request.close();
    assertThat(pool.taken()).isEqualTo(3 * UNIT);
  }

  @Test
  void whoWaitsForMemoryLeavesHisTurn() throws Exception {
    RequestMemory holder = pool.open();
    holder.take(pool.bytes());
    List<RequestMemory> turns = new ArrayList<>();
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      turns.add(pool.open());
      turns.get(i).awaitTurn();
    }
    RequestMemory waits = turns.get(0);
    waits.bePatient();
    Thread waiting = Thread.ofVirtual().start(() -> waits.take(2 * UNIT));
    Eventually.until("it waits", BOUND, () -> waiting.getState() == Thread.State.TIMED_WAITING);
    holder.awaitTurn();
    holder.close();
    assertThat(waiting.join(BOUND)).isTrue();
    assertThat(waits.needsTurn(0)).as("it has its turn again").isFalse();
  }

  @Test
  void bodiesWaitForRoomBesideTheRest() throws Exception {
    RequestMemory sending = pool.open();
    sending.takeBody(2L * Limits.REQUEST_BYTES);
    assertThat(pool.taken()).isZero();
    RequestMemory small = pool.open();
    small.takeBody(RequestMemory.FREE_BYTES);
    RequestMemory large = pool.open();
    Thread waiting = Thread.ofVirtual().start(() -> large.takeBody(2L * Limits.REQUEST_BYTES));
    Eventually.until("it waits", BOUND, () -> waiting.getState() == Thread.State.TIMED_WAITING);
    sending.close();
    assertThat(waiting.join(BOUND)).isTrue();
    large.close();
  }

  @Test
  void largeRequestsTakeTurns() throws Exception {
    List<RequestMemory> working = new ArrayList<>();
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      RequestMemory each = pool.open();
      assertThat(each.needsTurn(UNIT + 1)).isTrue();
      assertThat(each.needsTurn(UNIT)).as("a small one").isFalse();
      each.awaitTurn();
      working.add(each);
    }
    RequestMemory next = pool.open();
    Thread waiting = Thread.ofVirtual().start(next::awaitTurn);
    Eventually.until("it waits", BOUND, () -> waiting.getState() == Thread.State.TIMED_WAITING);
    Thread other = Thread.ofVirtual().start(working.get(0)::takeTurns);
    assertThat(waiting.join(BOUND)).isTrue();
    assertThat(next.needsTurn(UNIT + 1)).isFalse();
    next.close();
    assertThat(other.join(BOUND)).as("it waited for the next turn").isTrue();
  }

  @Test
  void whoWorksAtNoRequestIsNotBounded() {
    RequestMemory.current().take(Long.MAX_VALUE / 2);
    RequestMemory request = pool.open();
    request.bind();
    assertThat(RequestMemory.current()).isSameAs(request);
    RequestMemory.unbind();
    assertThat(RequestMemory.current()).isNotSameAs(request);
  }
}
