package io.rns.replication.membership;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemberPromiseTest {
  private static final MemberPromise CHOSEN = MemberPromise.NONE.leading(3).chosen(3);

  /** Its database may still have its former source. */
  @Test
  void whoIsAboutToFollowOrLeadInALaterTermIsCutOff() {
    MemberPromise before = MemberPromise.NONE.following(2);
    assertThat(before.cutOff()).isZero();
    assertThat(before.accepting(2).cutOff()).isZero();
    assertThat(before.accepting(3).cutOff()).isEqualTo(3);
    assertThat(before.cutOff(4).accepting(3).cutOff()).isEqualTo(4);
    assertThat(before.accepting(3).following(3).cutOff()).isZero();
    assertThat(before.leading(3).cutOff()).isEqualTo(3);
    assertThat(before.leading(3).established().cutOff()).isZero();
  }

  @Test
  void whoLedWasChosen() {
    assertThat(MemberPromise.NONE.leading(3).chosen()).isZero();
    assertThat(MemberPromise.NONE.leading(3).established().chosen()).isEqualTo(3);
  }

  /** Its database keeps what it had. */
  @Test
  void whoFollowsInALaterTermHasBeenChosenAsBefore() {
    assertThat(CHOSEN.following(4).chosen()).isEqualTo(3);
    assertThat(CHOSEN.cutOff(4).chosen()).isEqualTo(3);
  }

  /** In a group of two each of two failovers at a time may choose a member: the other one leads then. */
  @Test
  void whoFollowsInTheTermInWhichItWasChosenWasNotChosen() {
    assertThat(CHOSEN.following(3).chosen()).isZero();
    assertThat(MemberPromise.NONE.leading(2).established().leading(3).chosen(3).following(3).chosen()).isEqualTo(2);
  }

  @Test
  void whoseDatabaseIsReplacedWasNotChosen() {
    assertThat(CHOSEN.copied(4).chosen()).isZero();
  }
}
