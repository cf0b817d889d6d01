package io.rns.loadtest.history;

import io.rns.api.Position;
import io.rns.loadtest.history.DrillEvent.Claim;
import io.rns.loadtest.history.DrillEvent.FailedRead;
import io.rns.loadtest.history.DrillEvent.Read;
import io.rns.loadtest.history.DrillEvent.WatchedChange;
import io.rns.loadtest.history.DrillEvent.Window;
import io.rns.loadtest.history.DrillEvent.Write;
import io.rns.loadtest.history.History.Ending;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A history that can be changed. */
final class Edits {
  final List<Write> writes;
  final List<Read> reads;
  final List<FailedRead> failedReads;
  final List<WatchedChange> changes;
  final List<Claim> claims;
  final List<Window> calm;
  final Map<String, Map<String, Long>> trees = new HashMap<>();
  private final History original;
  Position end;

  private Edits(History history) {
    original = history;
    writes = new ArrayList<>(history.all(Write.class));
    reads = new ArrayList<>(history.all(Read.class));
    failedReads = new ArrayList<>(history.all(FailedRead.class));
    changes = new ArrayList<>(history.all(WatchedChange.class));
    claims = new ArrayList<>(history.all(Claim.class));
    calm = new ArrayList<>(history.all(Window.class));
    history.ending().trees().forEach((server, tree) -> trees.put(server, new HashMap<>(tree)));
    end = history.ending().position();
  }

  static History edited(History history, Consumer<Edits> change) {
    Edits edits = new Edits(history);
    change.accept(edits);
    List<DrillEvent> events = new ArrayList<>(edits.writes);
    List.of(edits.reads, edits.failedReads, edits.changes, edits.claims, edits.calm).forEach(events::addAll);
    return new History(events, edits.original.watchedFrom(), new Ending(edits.end, edits.trees));
  }
}
