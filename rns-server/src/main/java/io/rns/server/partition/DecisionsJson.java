package io.rns.server.partition;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.rns.api.RnsPath;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.partition.BalancerSettings;
import io.rns.replication.partition.Heat;
import io.rns.replication.partition.HeatWindow;
import io.rns.replication.partition.PartitionMap;
import io.rns.server.partition.PartitioningSettings.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was decided about partitions, and what was moved, the newest first.
 *
 * @param undo the move that {@code partition undo} takes back
 * @param directory the directory that was asked for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record DecisionsJson(
    SettingsJson settings, List<DecisionJson> decisions, List<RecordedMove> moves, @Nullable RecordedMove undo,
    @Nullable DirectoryJson directory) {
  private static final int INITIAL = 12;
  private static final int MOST = 1_000;
  private static final int MOVES = 20;

  /** What decisions go by. */
  record SettingsJson(
      Mode mode, long windowSeconds, int windows, double minimumGain, double minimumLoad, int movesPerHour,
      String quietHours, long restSeconds) {
    static SettingsJson of(PartitioningSettings settings) {
      BalancerSettings balancer = settings.balancer();
      return new SettingsJson(
          settings.mode(), balancer.window().toSeconds(), balancer.windows(), balancer.plan().minimumGain(),
          balancer.plan().minimumLoad(), balancer.movesPerHour(), balancer.quiet().toString(),
          balancer.rest().toSeconds());
    }
  }

  /**
   * A directory and its heat with everything below it.
   *
   * @param group that owns its content now
   */
  record DirectoryJson(RnsPath path, int group, List<WindowHeatJson> windows) {
    /** Its heat in the window of a decision. */
    record WindowHeatJson(long decision, Instant at, double reads, double writes, double load) {}
  }

  /** What somebody asks for. */
  static DecisionsJson of(
      QueryParameters parameters, Records records, PartitioningSettings settings, PartitionMap map) {
    List<RecordedMove> moves = records.moves();
    @Nullable
    RecordedMove undo = Records.undoable(moves).orElse(null);
    Optional<String> path = parameters.optional("path");
    Optional<String> number = parameters.optional("number");
    int most = (int) parameters.number("most", INITIAL, 1, MOST);
    SettingsJson shown = SettingsJson.of(settings);
    if (number.isPresent()) {
      DecisionJson decision = decision(records, (long) parameters.number("number", 0, 1, Integer.MAX_VALUE));
      return new DecisionsJson(shown, List.of(decision), List.of(), undo, null);
    }
    List<DecisionJson> decisions = records.decisions(most);
    if (path.isPresent()) {
      return of(RnsPath.parse(path.get()), shown, decisions, moves, undo, settings, map);
    }
    boolean windows = parameters.optional("windows").filter("true"::equals).isPresent();
    return new DecisionsJson(
        shown, windows ? decisions : decisions.stream().map(DecisionJson::withoutWindow).toList(),
        moves.stream().limit(MOVES).toList(), undo, null);
  }

  private static DecisionJson decision(Records records, long number) {
    return records.decision(number)
        .orElseThrow(
            () -> new RnsException(
                RnsError.NO_SUCH_ENTRY,
                "decision " + number + " is not recorded; the last one is "
                    + records.decisions(1).stream().map(DecisionJson::number).findFirst().orElse(0L)));
  }

  private static DecisionsJson of(
      RnsPath path, SettingsJson shown, List<DecisionJson> decisions, List<RecordedMove> moves,
      @Nullable RecordedMove undo, PartitioningSettings settings, PartitionMap map) {
    double writeCost = settings.balancer().plan().writeCost();
    List<DirectoryJson.WindowHeatJson> heats =
        decisions.stream()
            .flatMap(each -> Stream.ofNullable(each.window()).map(window -> heat(each, window, path, writeCost)))
            .toList();
    return new DecisionsJson(
        shown,
        decisions.stream()
            .filter(each -> each.moves().stream().anyMatch(move -> touches(move.path(), path)))
            .map(DecisionJson::withoutWindow)
            .toList(),
        moves.stream().filter(move -> touches(move.path(), path)).limit(MOVES).toList(), undo,
        new DirectoryJson(path, map.ofContent(path).group(), heats));
  }

  private static DirectoryJson.WindowHeatJson heat(
      DecisionJson decision, WindowJson json, RnsPath path, double writeCost) {
    HeatWindow window = json.window(decision.at());
    Heat heat = window.below(path);
    return new DirectoryJson.WindowHeatJson(
        decision.number(), decision.at(), HeatJson.rounded(heat.reads()), HeatJson.rounded(heat.writes()),
        HeatJson.rounded(heat.load(writeCost)));
  }

  private static boolean touches(RnsPath moved, RnsPath path) {
    return moved.contains(path) || path.contains(moved);
  }
}
