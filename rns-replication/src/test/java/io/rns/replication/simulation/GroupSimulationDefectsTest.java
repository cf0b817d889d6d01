package io.rns.replication.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The simulation would notice if a safeguard was missing. {@link GroupScenarioTest} notices those that are excluded
 * here: one breaks no safety, the others show in one of more histories than this test has time for.
 */
@Tag("slow")
class GroupSimulationDefectsTest {
  private static final int MOST_HISTORIES = Integer.getInteger("rns.test.histories", 12_000);

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = {"SWITCHOVER_WITHOUT_WAY_BACK", "HEARD_SERVERS_COUNT",
      "NUMBERS_GIVEN_AGAIN", "RECEIVED_NOT_REPORTED", "SAME_SOURCE_FETCHED_AGAIN", "OTHER_SOURCE_FETCHED_AGAIN"})
  void aMissingSafeguardIsNoticed(Defect defect) {
    HistorySearch search = new HistorySearch(EnumSet.of(defect));
    assertThat(search.anyUnsafe(1, MOST_HISTORIES)).isPresent();
  }
}
