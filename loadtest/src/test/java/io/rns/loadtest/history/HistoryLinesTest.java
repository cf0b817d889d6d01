package io.rns.loadtest.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Change.Kind;
import io.rns.api.Position;
import io.rns.loadtest.history.DrillEvent.Acknowledged;
import io.rns.loadtest.history.DrillEvent.WatchedChange;
import io.rns.loadtest.history.DrillEvent.Write;
import io.rns.loadtest.history.History.Ending;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HistoryLinesTest {
  @Test
  void everyRecordIsALine() {
    Position position = new Position(0, 1, 1);
    Write lost =
        new Write("r1", false, "/a", Kind.ADDED, Optional.of("server-2"), 0, 1_000_000,
            new Acknowledged(position));
    History history =
        new History(
            List.of(lost, new WatchedChange(position, Kind.ADDED, "/a", 0, 0)),
            new Position(0, 1, 0),
            new Ending(position, Map.of("server-1", Map.of("/b", 7L))));
    List<String> lines = history.lines(HistoryChecker.check(history));
    assertThat(lines).hasSize(6);
    assertThat(lines.get(0)).startsWith("acknowledged but missing: ADDED /a").contains("server-1 has no entry");
    assertThat(lines).contains("watched from 0-1-0", "ended at 0-1-1", "at the end server-1 has /b version 7");
    assertThat(lines.get(3)).contains("r1", "Acknowledged", "0-1-1", "by server-2 alone");
  }
}
