package io.rns.loadtest.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.Change.Kind;
import io.rns.api.Position;
import io.rns.loadtest.history.Checker;
import io.rns.loadtest.history.Ending;
import io.rns.loadtest.history.Event;
import io.rns.loadtest.history.History;
import io.rns.loadtest.history.Write;
import io.rns.loadtest.history.WriteOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFileTest {
  @TempDir private Path temporary;

  @Test
  void everyRecordIsALine() throws IOException {
    Position position = new Position(0, 1, 1);
    Write lost =
        new Write("r1", false, "/a", Kind.ADDED, Optional.of("server-2"), 0, 1_000_000,
            new WriteOutcome.Acknowledged(position));
    History history =
        new History(
            List.of(lost),
            List.of(),
            List.of(),
            new Position(0, 1, 0),
            List.of(new Event(position, Kind.ADDED, "/a", 0, 0)),
            List.of(),
            List.of(),
            new Ending(position, Map.of("server-1", Map.of("/b", 7L))));
    Path file = temporary.resolve("history.txt");
    HistoryFile.write(file, history, Checker.check(history));
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(6);
    assertThat(lines.get(0)).startsWith("acknowledged but missing: ADDED /a").contains("server-1 has no entry");
    assertThat(lines).contains("watched from 0-1-0", "ended at 0-1-1", "at the end server-1 has /b version 7");
    assertThat(lines.get(3)).contains("r1", "Acknowledged", "0-1-1", "by server-2 alone");
  }
}
