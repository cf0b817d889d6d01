package io.rns.replication.partition;

import io.rns.replication.partition.Plan.Move;
import java.util.ArrayList;
import java.util.List;

/**
 * What a {@link PartitionBalancer} would have done in recorded windows. Each move counts from the next window on; moves
 * that were really made are not.
 *
 * @param steps one for each window
 */
public record DecisionReplay(List<Step> steps) {
  /** Copies the list. */
  public DecisionReplay {
    steps = List.copyOf(steps);
  }

  /**
   * A window and what it leads to.
   *
   * @param window with the partitions that the moves before have made
   * @param recorded the load of the busiest group as it was
   * @param replayed the same with the moves before
   */
  public record Step(HeatWindow window, Decision decision, double recorded, double replayed) {
    /** What moves after the window. */
    public List<Move> moves() {
      return decision instanceof Decision.Proposed proposed ? proposed.moves() : List.of();
    }
  }

  /** Decides after each of these windows, the oldest first. */
  public static DecisionReplay of(List<HeatWindow> recorded, BalancerSettings settings) {
    List<Step> steps = new ArrayList<>();
    List<HeatWindow> history = new ArrayList<>();
    List<PastMove> past = new ArrayList<>();
    double writeCost = settings.plan().writeCost();
    PartitionMap map = recorded.isEmpty() ? PartitionMap.whole(0) : recorded.getFirst().situation().map();
    for (HeatWindow window : recorded) {
      Situation found = window.situation();
      HeatWindow now =
          new HeatWindow(
              window.end(), new Situation(map, found.groups(), found.heat(), found.fixed()), window.missing());
      history.add(now);
      Decision decision = PartitionBalancer.decide(history, past, settings, window.end());
      Step step =
          new Step(
              now, decision, HeatWindow.busiest(window.loads(found.map(), writeCost)),
              HeatWindow.busiest(window.loads(map, writeCost)));
      steps.add(step);
      map = map.with(step.moves());
      step.moves().forEach(move -> past.add(new PastMove(window.end(), move.path(), move.from(), move.to())));
    }
    return new DecisionReplay(steps);
  }
}
