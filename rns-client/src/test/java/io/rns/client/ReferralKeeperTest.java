package io.rns.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Position;
import io.rns.api.RnsPath;
import io.rns.referral.Announcement;
import io.rns.referral.Referral;
import io.rns.referral.ReferralTable;
import io.rns.referral.ServerRole;
import io.rns.referral.Site;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReferralKeeperTest {
  private static final long MILLI = 1_000_000;

  private final ManualTicker ticker = new ManualTicker();
  private final ReferralKeeper keeper = ReferralKeeper.of(Site.NONE, ticker);

  private Optional<Referral> known() {
    return keeper.table().at(RnsPath.ROOT, ticker.nanos()).map(ReferralTable.Row::referral);
  }

  private static Referral epoch(int epoch) {
    return of("/", epoch, 30_000);
  }

  private static Referral of(String prefix, int epoch, long ttlMillis) {
    return new Referral(RnsPath.parse(prefix), epoch, ttlMillis, List.of());
  }

  @Test
  void theFirstCallAsksAndNoOtherUntilItHadTime() {
    assertThat(keeper.claim()).isTrue();
    assertThat(keeper.claim()).isFalse();
    ticker.pass(5_000 * MILLI - 1);
    assertThat(keeper.claim()).isFalse();
    ticker.pass(1);
    assertThat(keeper.claim()).isTrue();
  }

  @Test
  void newsAreAskedForLongBeforeWhatIsKnownEnds() {
    keeper.told(List.of(epoch(1)));
    ticker.pass(10_000 * MILLI - 1);
    assertThat(keeper.claim()).isFalse();
    ticker.pass(1);
    assertThat(keeper.claim()).isTrue();
    assertThat(known()).contains(epoch(1));
    ticker.pass(20_000 * MILLI);
    assertThat(known()).isEmpty();
  }

  @Test
  void whoTellsOfAnOlderEpochIsNotBelievedAndAnotherIsAskedSoon() {
    keeper.told(List.of(epoch(4)));
    keeper.told(List.of(epoch(3)));
    assertThat(known()).contains(epoch(4));
    ticker.pass(5_000 * MILLI);
    assertThat(keeper.claim()).isTrue();
  }

  @Test
  void thePartThatIsDueFirstSaysWhenNewsAreAskedFor() {
    keeper.told(List.of(epoch(1)));
    ticker.pass(6_000 * MILLI);
    keeper.told(List.of(of("/a", 1, 30_000)));
    ticker.pass(4_000 * MILLI - 1);
    assertThat(keeper.claim()).isFalse();
    ticker.pass(1);
    assertThat(keeper.claim()).isTrue();
    keeper.told(List.of(of("/a", 1, 30_000)));
    ticker.pass(1_000 * MILLI - 1);
    assertThat(keeper.claim()).as("told of another part again: not with every call").isFalse();
    ticker.pass(1);
    assertThat(keeper.claim()).isTrue();
  }

  @Test
  void anotherIsAskedSoonIfOnePartOfAReportIsOfAnOlderEpoch() {
    keeper.told(List.of(epoch(4), of("/a", 7, 30_000)));
    keeper.told(List.of(epoch(5), of("/a", 6, 30_000)));
    assertThat(known()).contains(epoch(5));
    assertThat(keeper.table().at(RnsPath.parse("/a"), ticker.nanos()).map(ReferralTable.Row::referral))
        .contains(of("/a", 7, 30_000));
    ticker.pass(5_000 * MILLI - 1);
    assertThat(keeper.claim()).isFalse();
    ticker.pass(1);
    assertThat(keeper.claim()).isTrue();
  }

  @Test
  void everyCallAsksWhileAllAreTo() {
    keeper.told(List.of(epoch(1)));
    keeper.whileAllAsk(
        () -> {
          assertThat(keeper.claim()).isTrue();
          assertThat(keeper.claim()).isTrue();
        });
    assertThat(keeper.claim()).isFalse();
  }

  @Test
  void doubtAsksAtOnceAndKeepsWhatIsKnown() {
    keeper.told(List.of(epoch(1)));
    keeper.doubt();
    assertThat(known()).isPresent();
    assertThat(keeper.claim()).isTrue();
    keeper.told(List.of(epoch(1)));
    keeper.forget();
    assertThat(known()).isEmpty();
    assertThat(keeper.claim()).isTrue();
  }

  private static Referral ofGroup(String prefix, int group) {
    String url = "http://" + group + "/rns";
    return new Referral(RnsPath.parse(prefix), 1, 30_000, List.of(new Announcement(
        url, url, ServerRole.PRIMARY, Site.NONE, 100, 0, 0, Optional.of(new Position(group, 1, 0)))));
  }

  /** Otherwise servers pass on what has moved, until a third of the time to live is over. */
  @Test
  void newsAreAskedForASecondAfterTheLastIfACallIsPassedOn() {
    keeper.told(List.of(ofGroup("/", 0)));
    keeper.passedOn();
    ticker.pass(1_000 * MILLI - 1);
    assertThat(keeper.claim()).isFalse();
    ticker.pass(1);
    assertThat(keeper.claim()).isTrue();
    keeper.passedOn();
    assertThat(keeper.claim()).as("one asks already").isFalse();
    keeper.told(List.of(ofGroup("/", 0), ofGroup("/a", 1)));
    ticker.pass(2_000 * MILLI);
    assertThat(keeper.claim()).as("none was passed on since").isFalse();
    keeper.passedOn();
    assertThat(keeper.claim()).isTrue();
  }

  @Test
  void newsThatDoNotKnowItAreAskedForLessAndLess() {
    keeper.told(List.of(ofGroup("/", 0)));
    for (int seconds : List.of(1, 2, 4, 8, 10, 10)) {
      keeper.passedOn();
      ticker.pass(seconds * 1_000L * MILLI - 1);
      keeper.passedOn();
      assertThat(keeper.claim()).as("before %s s", seconds).isFalse();
      ticker.pass(1);
      assertThat(keeper.claim()).as("after %s s", seconds).isTrue();
      keeper.told(List.of(ofGroup("/", 0)));
    }
    keeper.passedOn();
    keeper.told(List.of(ofGroup("/", 0), ofGroup("/a", 1)));
    keeper.passedOn();
    ticker.pass(1_000 * MILLI);
    assertThat(keeper.claim()).as("something has changed").isTrue();
  }

  @Test
  void notEveryCallAsksHoweverShortTheTimeToLiveIs() {
    keeper.told(List.of(of("/", 1, 1)));
    ticker.pass(1_000 * MILLI - 1);
    assertThat(keeper.claim()).isFalse();
    ticker.pass(1);
    assertThat(keeper.claim()).isTrue();
  }

  @Test
  void whoDoesNotChooseNeverAsks() {
    assertThat(ReferralKeeper.silent().claim()).isFalse();
  }
}
