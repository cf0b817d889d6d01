package io.rns.replication.membership;

import io.rns.replication.Topology;
import java.util.function.BooleanSupplier;

/** Decides a server's next step by the topology of its group. Pure: neither carries out steps nor keeps state. */
public interface TopologyRules {
  /**
   * Decides the next step.
   *
   * @param view the current view
   * @param primaryHasAll whether the primary's database has all transactions of its own; costs a request, so it is
   *        evaluated only if needed
   */
  MembershipStep next(MembershipView view, BooleanSupplier primaryHasAll);

  /** The rules of a topology with a durability. */
  static TopologyRules of(Topology topology, Durability durability) {
    return switch (topology) {
      case SOURCE_REPLICA -> new SourceReplicaRules(durability);
      case GROUP -> new DatabaseGroupRules();
    };
  }
}
