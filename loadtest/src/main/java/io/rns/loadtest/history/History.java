package io.rns.loadtest.history;

import io.rns.api.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Everything that the clients of a server group did and observed.
 *
 * @param events of one kind in any order; reads of one session, and watched changes, as they came
 * @param watchedFrom where the watcher of the whole tree began
 * @param ending the state after the last write
 */
public record History(List<DrillEvent> events, Position watchedFrom, Ending ending) {
  public History {
    events = List.copyOf(events);
  }

  /**
   * The state after the last write.
   *
   * @param trees for each server, the version of each entry by path
   */
  public record Ending(Position position, Map<String, Map<String, Long>> trees) {
    public Ending {
      trees = Map.copyOf(trees);
    }
  }

  /** All events of one kind, in order. */
  public <E extends DrillEvent> List<E> all(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** The history as text to search in, one record per line, after the violations that were found in it. */
  public List<String> lines(List<Violation> violations) {
    List<Object> lines = new ArrayList<>(violations);
    lines.addAll(all(DrillEvent.Claim.class));
    lines.addAll(all(DrillEvent.Window.class));
    lines.add("watched from " + watchedFrom);
    lines.add("ended at " + ending.position());
    for (DrillEvent.Write write : all(DrillEvent.Write.class)) {
      String directly = write.directly().map(server -> " by " + server + " alone").orElse("");
      lines.add(write + " -> " + write.outcome() + directly);
    }
    lines.addAll(all(DrillEvent.Read.class));
    lines.addAll(all(DrillEvent.FailedRead.class));
    lines.addAll(all(DrillEvent.WatchedChange.class));
    ending.trees().forEach((server, tree) -> tree
        .forEach((path, version) -> lines.add("at the end " + server + " has " + path + " version " + version)));
    return lines.stream().map(line -> line.toString().replace('\n', ' ')).toList();
  }
}
