package io.rns.server.partition;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.partition.BalancerSettings;
import io.rns.replication.partition.Decision;
import io.rns.replication.partition.DecisionReplay;
import io.rns.replication.partition.DecisionReplay.Step;
import io.rns.replication.partition.HeatWindow;
import io.rns.replication.partition.QuietHours;
import io.rns.server.partition.DecisionsJson.SettingsJson;
import io.rns.server.partition.PartitionsJson.PartitionJson;
import io.rns.server.partition.PlanJson.ProposalJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What would have been decided with other settings in recorded windows, the oldest first, as JSON.
 *
 * @param windows what each window would have led to
 * @param groups their mean loads
 * @param busiest the load of the busiest group, as a part of the mean load of the groups
 * @param partitions after all moves
 */
record ReplayJson(
    SettingsJson settings, List<ReplayedJson> windows, List<GroupBalanceJson> groups, BalanceJson busiest,
    List<PartitionJson> partitions) {
  /** A day, unless windows have another length than usual. */
  private static final int INITIAL_WINDOWS = 288;
  private static final int MOST_WINDOWS = 1_000;
  private static final double SECOND = 1_000;
  private static final double PERCENT = 100;
  /** The server has other things to do. */
  private static final Duration LIMIT = Duration.ofSeconds(20);

  /**
   * A window.
   *
   * @param at its end
   * @param rule that refused a plan
   * @param recorded the load of the busiest group as it was
   * @param replayed the same with the moves before
   * @param moves that follow
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ReplayedJson(
      Instant at, String outcome, Decision.@Nullable Rule rule, String reason, double recorded, double replayed,
      List<ProposalJson> moves) {
    static ReplayedJson of(Step step) {
      Decision decision = step.decision();
      return new ReplayedJson(
          step.window().end(), DecisionJson.outcome(decision), DecisionJson.rule(decision), decision.reason(),
          HeatJson.rounded(HeatWindow.busiest(step.recorded())), HeatJson.rounded(HeatWindow.busiest(step.replayed())),
          step.moves().stream().map(ProposalJson::of).toList());
    }
  }

  /** The mean load of a group. */
  record GroupBalanceJson(int group, double recorded, double replayed) {}

  /** As it was, and as it would have been. */
  record BalanceJson(double recorded, double replayed) {
    static BalanceJson of(List<Step> steps) {
      return new BalanceJson(share(steps, Step::recorded), share(steps, Step::replayed));
    }

    private static double share(List<Step> steps, Function<Step, SortedMap<Integer, Double>> loads) {
      double busiest = steps.stream().mapToDouble(step -> HeatWindow.busiest(loads.apply(step))).sum();
      double mean = steps.stream().mapToDouble(step -> HeatWindow.mean(loads.apply(step))).sum();
      return mean > 0 ? HeatJson.rounded(busiest / mean) : 0;
    }
  }

  /**
   * Decisions that were saved by {@code partition why --windows --json}.
   *
   * @param decisions null in another document
   */
  record SavedJson(@Nullable List<DecisionJson> decisions) {
    /** The newest of them, as many as are asked for. */
    List<DecisionJson> newest(QueryParameters parameters) {
      return Stream.ofNullable(decisions).flatMap(List::stream)
          .sorted(Comparator.comparing(DecisionJson::at).reversed())
          .limit(most(parameters))
          .toList();
    }
  }

  /** How many windows are replayed. */
  static int most(QueryParameters parameters) {
    return (int) parameters.number("most", INITIAL_WINDOWS, 1, MOST_WINDOWS);
  }

  /**
   * Replays the windows of decisions.
   *
   * @param parameters settings that differ from those of the server
   * @param nanos a clock
   * @throws RnsException {@link RnsError#INVALID_REQUEST} without a window, {@link RnsError#LIMIT_EXCEEDED} if it takes
   *         too long
   */
  static ReplayJson of(
      QueryParameters parameters, List<DecisionJson> decisions, PartitioningSettings settings, LongSupplier nanos) {
    List<DecisionJson> measured =
        decisions.stream().filter(each -> each.window() != null && each.seconds() > 0)
            .sorted(Comparator.comparing(DecisionJson::at))
            .toList();
    if (measured.isEmpty()) {
      throw new RnsException(RnsError.INVALID_REQUEST, "there is no decision with a window to replay");
    }
    long recorded = measured.getLast().seconds();
    BalancerSettings balancer = settings(parameters, settings.balancer(), Duration.ofSeconds(recorded));
    List<HeatWindow> windows = windows(measured, recorded, balancer.window().toSeconds());
    if (windows.isEmpty()) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "the recorded windows of " + recorded + " s make none of " + balancer.window().toSeconds() + " s");
    }
    DecisionReplay replay = new DecisionReplay(windows.getFirst().situation().map(), balancer);
    List<Step> steps = new ArrayList<>();
    long begun = nanos.getAsLong();
    for (HeatWindow window : windows) {
      if (nanos.getAsLong() - begun > LIMIT.toNanos()) {
        throw new RnsException(
            RnsError.LIMIT_EXCEEDED,
            "in " + LIMIT.toSeconds() + " s only " + steps.size() + " of " + windows.size()
                + " windows were replayed; ask for fewer");
      }
      steps.add(replay.decide(window));
    }
    return new ReplayJson(
        SettingsJson.of(new PartitioningSettings(settings.mode(), balancer)),
        steps.stream().map(ReplayedJson::of).toList(), groups(steps), BalanceJson.of(steps),
        replay.map().partitions().stream().map(PartitionJson::of).toList());
  }

  private static BalancerSettings settings(QueryParameters parameters, BalancerSettings initial, Duration recorded) {
    long window =
        (long) (parameters.number("windowMillis", (double) recorded.toMillis(), 10 * SECOND, 1_200 * SECOND) / SECOND);
    if (window % recorded.toSeconds() != 0) {
      throw new RnsException(
          RnsError.INVALID_REQUEST,
          "a window of " + window + " s is no multiple of the recorded ones of " + recorded.toSeconds() + " s");
    }
    return new BalancerSettings(
        initial.plan()
            .with(
                initial.plan().writeCost(),
                parameters.number("minimumLoad", initial.plan().minimumLoad(), 0, 1_000_000_000),
                initial.plan().moves())
            .withGain(parameters.number("gain", initial.plan().minimumGain() * PERCENT, 1, PERCENT) / PERCENT),
        Duration.ofSeconds(window),
        (int) parameters.number("windows", initial.windows(), 1, 50),
        (int) parameters.number("movesPerHour", initial.movesPerHour(), 1, 60),
        parameters.optional("quietHours").map(ReplayJson::quiet).orElse(initial.quiet()),
        Duration
            .ofMillis((long) parameters.number("restMillis", (double) initial.rest().toMillis(), 0, 604_800 * SECOND)));
  }

  private static QuietHours quiet(String text) {
    try {
      return QuietHours.parse(text);
    } catch (IllegalArgumentException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
    }
  }

  /** The windows of one length, joined to longer ones that end at multiples of their length. */
  private static List<HeatWindow> windows(List<DecisionJson> decisions, long recorded, long length) {
    SortedMap<Long, List<HeatWindow>> parts = new TreeMap<>();
    for (DecisionJson decision : decisions) {
      WindowJson window = decision.window();
      if (window != null && decision.seconds() == recorded) {
        parts.computeIfAbsent(Math.ceilDiv(decision.at().getEpochSecond(), length), end -> new ArrayList<>())
            .add(read(window, decision.at()));
      }
    }
    return parts.values().stream().filter(each -> each.size() == length / recorded).map(HeatWindow::joined).toList();
  }

  private static HeatWindow read(WindowJson window, Instant end) {
    try {
      return window.window(end);
    } catch (IllegalArgumentException e) {
      throw new RnsException(RnsError.INVALID_REQUEST, "the window until " + end + ": " + e.getMessage(), e);
    }
  }

  private static List<GroupBalanceJson> groups(List<Step> steps) {
    SortedMap<Integer, Double> recorded = sums(steps, Step::recorded);
    SortedMap<Integer, Double> replayed = sums(steps, Step::replayed);
    return recorded.entrySet().stream()
        .map(
            each -> new GroupBalanceJson(
                each.getKey(), HeatJson.rounded(each.getValue() / steps.size()),
                HeatJson.rounded(replayed.getOrDefault(each.getKey(), 0.0) / steps.size())))
        .toList();
  }

  private static SortedMap<Integer, Double> sums(
      List<Step> steps, Function<Step, SortedMap<Integer, Double>> loads) {
    SortedMap<Integer, Double> sums = new TreeMap<>();
    steps.forEach(step -> loads.apply(step).forEach((group, load) -> sums.merge(group, load, Double::sum)));
    return sums;
  }
}
