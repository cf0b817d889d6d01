package io.rns.replication.partition;

import io.rns.replication.partition.Plan.Move;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * What a {@link PartitionBalancer} would have done in recorded windows. Each move counts from the next window on; moves
 * that were really made are not. Belongs to one thread.
 */
public final class DecisionReplay {
  private final BalancerSettings settings;
  private final List<HeatWindow> history = new ArrayList<>();
  private final List<PastMove> past = new ArrayList<>();
  private PartitionMap map;

  /**
   * A replay.
   *
   * @param map the partitions in the first window
   */
  public DecisionReplay(PartitionMap map, BalancerSettings settings) {
    this.map = map;
    this.settings = settings;
  }

  /**
   * A window and what it leads to.
   *
   * @param window with the partitions that the moves before have made
   * @param recorded the loads of the groups as they were
   * @param replayed the same with the moves before
   */
  public record Step(
      HeatWindow window, Decision decision, SortedMap<Integer, Double> recorded, SortedMap<Integer, Double> replayed) {
    /** What moves after the window. */
    public List<Move> moves() {
      return decision instanceof Decision.Proposed proposed ? proposed.moves() : List.of();
    }
  }

  /** Decides after the next window. */
  public Step decide(HeatWindow recorded) {
    Situation found = recorded.situation();
    HeatWindow now =
        new HeatWindow(
            recorded.end(), new Situation(map, found.groups(), found.heat(), found.fixed()), recorded.missing());
    history.add(now);
    List<HeatWindow> seen =
        history.subList(Math.max(0, history.size() - 1 - PartitionBalancer.MOST_WINDOWS), history.size());
    Decision decision = PartitionBalancer.decide(seen, past, settings, now.end());
    double writeCost = settings.plan().writeCost();
    Step step =
        new Step(now, decision, recorded.loads(found.map(), writeCost), recorded.loads(map, writeCost));
    map = map.with(step.moves());
    step.moves().forEach(move -> past.add(new PastMove(now.end(), move.path(), move.from(), move.to(), true)));
    return step;
  }

  /** The partitions after the moves so far. */
  public PartitionMap map() {
    return map;
  }
}
