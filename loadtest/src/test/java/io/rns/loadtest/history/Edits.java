package io.rns.loadtest.history;

import io.rns.api.Position;
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
  final List<Event> events;
  final List<Claim> claims;
  final List<Window> calm;
  final Map<String, Map<String, Long>> trees = new HashMap<>();
  private final History original;
  Position end;

  private Edits(History history) {
    original = history;
    writes = new ArrayList<>(history.writes());
    reads = new ArrayList<>(history.reads());
    failedReads = new ArrayList<>(history.failedReads());
    events = new ArrayList<>(history.events());
    claims = new ArrayList<>(history.claims());
    calm = new ArrayList<>(history.calm());
    history.ending().trees().forEach((server, tree) -> trees.put(server, new HashMap<>(tree)));
    end = history.ending().position();
  }

  static History edited(History history, Consumer<Edits> change) {
    Edits edits = new Edits(history);
    change.accept(edits);
    return new History(
        edits.writes,
        edits.reads,
        edits.failedReads,
        edits.original.watchedFrom(),
        edits.events,
        edits.claims,
        edits.calm,
        new Ending(edits.end, edits.trees));
  }
}
