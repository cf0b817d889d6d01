package io.rns.server.partition;

import io.rns.api.RnsPath;
import io.rns.replication.partition.Plan;
import java.util.List;
import java.util.SortedMap;

/**
 * A plan as JSON. Loads are in reads per second, heats per second.
 *
 * @param seconds for how long the server that has counted longest has
 * @param limit the most load of a group
 * @param silent servers whose requests are not in it, and why
 * @param absent groups that are not in it, and why
 */
record PlanJson(
    double seconds, double limit, List<GroupJson> groups, List<ProposalJson> moves, String verdict,
    List<SilentJson> silent, List<AbsentJson> absent) {
  /** A group and its load before and after the moves. */
  record GroupJson(int group, double reads, double writes, double load, double after) {
    static GroupJson of(Plan.GroupLoad load) {
      return new GroupJson(
          load.group(), HeatJson.rounded(load.heat().reads()), HeatJson.rounded(load.heat().writes()),
          HeatJson.rounded(load.load()), HeatJson.rounded(load.after()));
    }
  }

  /** A move that is proposed. */
  record ProposalJson(
      RnsPath path, int from, int to, double reads, double writes, double load, List<String> reasons) {
    static ProposalJson of(Plan.Move move) {
      return new ProposalJson(
          move.path(), move.from(), move.to(), HeatJson.rounded(move.heat().reads()),
          HeatJson.rounded(move.heat().writes()), HeatJson.rounded(move.load()), move.reasons());
    }
  }

  /** A server that does not answer. */
  record SilentJson(String server, int group, String reason) {}

  /** A group that neither gives nor takes anything. */
  record AbsentJson(int group, String reason) {}

  static PlanJson of(Plan plan, double seconds, List<SilentJson> silent, SortedMap<Integer, String> absent) {
    return new PlanJson(
        HeatJson.rounded(seconds), HeatJson.rounded(plan.limit()), plan.groups().stream().map(GroupJson::of).toList(),
        plan.moves().stream().map(ProposalJson::of).toList(), plan.verdict(), silent,
        absent.entrySet().stream().map(each -> new AbsentJson(each.getKey(), each.getValue())).toList());
  }
}
