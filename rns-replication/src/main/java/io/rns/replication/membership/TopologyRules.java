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
   * @param primaryHasReceived the same of those that its own has received, applied or not
   */
  MembershipStep next(MembershipView view, BooleanSupplier primaryHasAll, BooleanSupplier primaryHasReceived);

  /**
   * The rules of a topology with a durability.
   *
   * @param automatic whether a member rebuilds its copy by itself when only unacknowledged writes are lost by that
   */
  static TopologyRules of(Topology topology, Durability durability, boolean automatic) {
    return switch (topology) {
      case SOURCE_REPLICA -> new SourceReplicaRules(durability, automatic);
      case GROUP -> new DatabaseGroupRules();
    };
  }
}
