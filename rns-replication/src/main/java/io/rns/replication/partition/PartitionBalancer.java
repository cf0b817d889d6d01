package io.rns.replication.partition;

import io.rns.api.RnsPath;
import io.rns.replication.partition.Decision.Rule;
import io.rns.replication.partition.Plan.Move;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * Decides after each window whether directories are to be moved now. Reads neither clock nor network: the same windows,
 * moves and settings have the same decision.
 *
 * <p>The plan is that for the mean of the last windows. It is carried out only if the groups that give something up
 * were too busy in each of them, and if the moves would have lowered the load of the busiest group over the windows
 * without raising it in any: a hot spot that only wanders is left alone. What has moved because of its load, and moves
 * again, must have paid in the mean of all windows since. An assignment by an operator is no answer to a load, so the
 * time since says nothing about it.
 */
public final class PartitionBalancer {
  /** Windows before the last one that are looked at. */
  public static final int MOST_WINDOWS = 100;

  /** As often as an imbalance must last what moves again has to pay. */
  private static final int SEVERAL = 4;

  private static final Duration HOUR = Duration.ofHours(1);

  private final List<HeatWindow> history;
  private final List<HeatWindow> windows;
  private final List<PastMove> past;
  private final BalancerSettings settings;
  private final Instant now;
  private final Situation mean;
  private final Plan plan;

  private PartitionBalancer(List<HeatWindow> history, List<PastMove> past, BalancerSettings settings, Instant now) {
    this.settings = settings;
    this.now = now;
    this.past = past;
    this.history = history;
    this.windows = latest(history);
    this.mean = resting(HeatWindow.joined(windows).situation());
    int left = settings.movesPerHour() - (int) lastHour();
    PlanSettings limits = settings.plan();
    this.plan = Planner.plan(mean, limits.withMoves(Math.clamp(left, 1, limits.moves())));
  }

  /**
   * Decides.
   *
   * @param history the windows, the oldest first; the last one has just ended
   * @param past the moves in the time of the windows, in the last hour, and in the time for which directories rest, the
   *        oldest first
   */
  public static Decision decide(
      List<HeatWindow> history, List<PastMove> past, BalancerSettings settings, Instant now) {
    return new PartitionBalancer(history, past, settings, now).decide();
  }

  /** The last windows, as many as are needed, if each begins where the one before ends. */
  private List<HeatWindow> latest(List<HeatWindow> history) {
    int from = history.size() - 1;
    Duration longest = settings.window().plus(settings.window().dividedBy(2));
    while (from > 0 && history.size() - from < settings.windows()
        && Duration.between(history.get(from - 1).end(), history.get(from).end()).compareTo(longest) <= 0) {
      from--;
    }
    return history.subList(from, history.size());
  }

  /** The same without moves of what has been moved lately. */
  private Situation resting(Situation situation) {
    Map<RnsPath, String> fixed = new HashMap<>(situation.fixed());
    List<PastMove> recent = past.stream().filter(move -> isWithin(move, settings.rest())).toList();
    for (RnsPath path : recent.isEmpty() ? List.<RnsPath>of() : Planner.candidates(situation, settings.plan())) {
      recent.stream()
          .filter(move -> concerns(move, path, situation.map()))
          .reduce((earlier, later) -> later)
          .ifPresent(
              move -> fixed.put(
                  path, move.path() + " moved from group " + move.from() + " to group " + move.to() + " "
                      + text(Duration.between(move.at(), now)) + " ago, and rests for " + text(settings.rest())));
    }
    return new Situation(situation.map(), situation.groups(), situation.heat(), fixed);
  }

  private boolean isWithin(PastMove move, Duration time) {
    return move.at().plus(time).isAfter(now);
  }

  /** Whether a move of a directory would move again what has moved, or a part of it. */
  private static boolean concerns(PastMove move, RnsPath path, PartitionMap map) {
    return (path.contains(move.path()) || move.path().contains(path))
        && map.ofContent(path).equals(map.ofContent(move.path()));
  }

  private long lastHour() {
    return past.stream().filter(move -> isWithin(move, HOUR)).count();
  }

  private Decision decide() {
    if (plan.moves().isEmpty()) {
      return new Decision.Balanced(plan);
    }
    return Stream.<Optional<Decision>>of(windowsKnown(), allAnswered(), persists(), gains(), budget(), quietHours())
        .flatMap(Optional::stream)
        .findFirst()
        .orElseGet(() -> new Decision.Proposed(plan, accepted()));
  }

  private String accepted() {
    double before = meanOfBusiest(windows, List.of());
    double after = meanOfBusiest(windows, plan.moves());
    return "In " + windows(windows.size()) + " the busiest group had a load of " + Planner.number(before)
        + " on average; with " + Planner.moves(plan.moves().size()) + " it would have had " + Planner.number(after)
        + ".";
  }

  private Optional<Decision> refused(boolean refused, Rule rule, String reason) {
    return refused ? Optional.of(new Decision.Refused(plan, rule, reason)) : Optional.empty();
  }

  // ---- the rules

  private Optional<Decision> windowsKnown() {
    return refused(
        windows.size() < settings.windows(), Rule.WINDOWS,
        "An imbalance must last for " + windows(settings.windows()) + "; " + windows.size() + " without a gap "
            + (windows.size() == 1 ? "is" : "are") + " known.");
  }

  private Optional<Decision> allAnswered() {
    return windows.stream()
        .filter(window -> !window.missing().isEmpty())
        .reduce((earlier, later) -> later)
        .flatMap(
            window -> refused(
                true, Rule.MISSING,
                "The window until " + time(window) + " is incomplete: " + String.join("; ", window.missing()) + "."));
  }

  private Optional<Decision> persists() {
    List<String> calm = new ArrayList<>();
    for (int from : plan.moves().stream().map(Move::from).distinct().toList()) {
      for (HeatWindow window : windows) {
        SortedMap<Integer, Double> loads = loads(window, mean.map());
        double load = loads.getOrDefault(from, 0.0);
        double share = load / HeatWindow.mean(loads);
        if (!(share > 1 + settings.plan().tolerance())) {
          calm.add(
              "until " + time(window) + " group " + from + " had a load of " + Planner.number(load) + ", "
                  + (load > 0 ? Planner.share(share) : "0 %") + " of the mean");
        }
      }
    }
    return refused(
        !calm.isEmpty(), Rule.PERSISTENCE,
        "The imbalance has not lasted for " + windows(settings.windows()) + ": " + String.join("; ", calm)
            + "; allowed are " + Planner.share(1 + settings.plan().tolerance()) + ".");
  }

  private Optional<Decision> gains() {
    PartitionMap moved = mean.map().with(plan.moves());
    for (HeatWindow window : windows) {
      double busiest = HeatWindow.busiest(loads(window, mean.map()));
      double after = HeatWindow.busiest(loads(window, moved));
      if (after > busiest * (1 + Planner.ROUNDING)) {
        return refused(
            true, Rule.GAIN,
            "In the window until " + time(window) + " the busiest group had a load of " + Planner.number(busiest)
                + "; with the plan it would have had " + Planner.number(after) + ".");
      }
    }
    return gain(windows, "").or(() -> lastMove().flatMap(this::gainSince));
  }

  /** The last move by load of something that the plan would move again. */
  private Optional<PastMove> lastMove() {
    return past.stream()
        .filter(PastMove::byLoad)
        .filter(move -> plan.moves().stream().anyMatch(next -> concerns(move, next.path(), mean.map())))
        .reduce((earlier, later) -> later);
  }

  /**
   * What moves again has to pay for as long as it rests, and several times as long as an imbalance must last: otherwise
   * it might go to and fro.
   */
  private Optional<Decision> gainSince(PastMove move) {
    Duration several = settings.window().multipliedBy((long) SEVERAL * settings.windows());
    Instant from = now.minus(several.compareTo(settings.rest()) > 0 ? several : settings.rest());
    List<HeatWindow> since =
        history.stream().filter(window -> window.end().isAfter(move.at()) && window.end().isAfter(from)).toList();
    return gain(since, " after " + move.path() + " moved from group " + move.from() + " to group " + move.to());
  }

  private Optional<Decision> gain(List<HeatWindow> in, String since) {
    double before = meanOfBusiest(in, List.of());
    double after = meanOfBusiest(in, plan.moves());
    double mean =
        in.stream().mapToDouble(window -> HeatWindow.mean(loads(window, this.mean.map()))).average().orElse(0);
    double needed = settings.plan().minimumGain() * plan.moves().size() * mean;
    return refused(
        before - after < needed * (1 - Planner.ROUNDING), Rule.GAIN,
        "In " + windows(in.size()) + since + " the plan would have changed the load of the busiest group from "
            + Planner.number(before) + " to " + Planner.number(after) + " on average; "
            + Planner.moves(plan.moves().size()) + " must lower it by " + Planner.number(needed) + " ("
            + Planner.share(settings.plan().minimumGain()) + " of the mean each).");
  }

  private Optional<Decision> budget() {
    long begun = lastHour();
    return refused(
        begun >= settings.movesPerHour(), Rule.BUDGET,
        begun + " moves have begun in the last hour; the limit is " + settings.movesPerHour() + ".");
  }

  private Optional<Decision> quietHours() {
    return refused(
        settings.quiet().contains(now), Rule.QUIET_HOURS,
        "It is " + clock(now) + " UTC; no move begins in the quiet hours, " + settings.quiet() + ".");
  }

  // ---- what is measured

  private SortedMap<Integer, Double> loads(HeatWindow window, PartitionMap map) {
    return window.loads(map, settings.plan().writeCost());
  }

  private double meanOfBusiest(List<HeatWindow> in, List<Move> moves) {
    PartitionMap map = mean.map().with(moves);
    return in.stream().mapToDouble(window -> HeatWindow.busiest(loads(window, map))).average().orElse(0);
  }

  private static String windows(int count) {
    return count == 1 ? "1 window" : count + " windows";
  }

  private static String time(HeatWindow window) {
    return clock(window.end());
  }

  private static String clock(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS).toString().substring("2026-01-01T".length()).replace("Z", "");
  }

  private static String text(Duration time) {
    return time.toMinutes() < 2 ? time.toSeconds() + " s" : time.toMinutes() + " min";
  }
}
