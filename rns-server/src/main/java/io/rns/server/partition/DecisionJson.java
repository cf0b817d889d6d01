package io.rns.server.partition;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.rns.replication.partition.Decision;
import io.rns.replication.partition.HeatWindow;
import io.rns.replication.partition.Plan;
import io.rns.server.partition.PartitioningSettings.Mode;
import io.rns.server.partition.PlanJson.GroupJson;
import io.rns.server.partition.PlanJson.ProposalJson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A decision and the window after which it was made, as JSON.
 *
 * @param number counts the decisions; 0 of one that is not recorded
 * @param at the end of the window
 * @param seconds the length of the window
 * @param mode whether a proposed plan was carried out
 * @param outcome {@code balanced}, {@code refused} or {@code proposed}
 * @param rule that refused the plan
 * @param reason for people
 * @param limit the most load of a group
 * @param groups the means over the last windows
 * @param moves the plan
 * @param window what was measured
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record DecisionJson(
    long number, Instant at, long seconds, Mode mode, String outcome, Decision.@Nullable Rule rule, String reason,
    double limit, List<GroupJson> groups, List<ProposalJson> moves, @Nullable WindowJson window) {
  /** A saved decision may come from anywhere. */
  DecisionJson {
    if (at == null) {
      throw new IllegalArgumentException("a decision lacks 'at'");
    }
  }

  static DecisionJson of(Decision decision, HeatWindow window, Duration length, Mode mode) {
    Plan plan = decision.plan();
    return new DecisionJson(
        0, window.end(), length.toSeconds(), mode, outcome(decision), rule(decision), decision.reason(),
        HeatJson.rounded(plan.limit()), plan.groups().stream().map(GroupJson::of).toList(),
        plan.moves().stream().map(ProposalJson::of).toList(), WindowJson.of(window));
  }

  static String outcome(Decision decision) {
    return decision.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  static Decision.@Nullable Rule rule(Decision decision) {
    return decision instanceof Decision.Refused refused ? refused.rule() : null;
  }

  DecisionJson numbered(long as) {
    return new DecisionJson(as, at, seconds, mode, outcome, rule, reason, limit, groups, moves, window);
  }

  DecisionJson withoutWindow() {
    return new DecisionJson(number, at, seconds, mode, outcome, rule, reason, limit, groups, moves, null);
  }
}
