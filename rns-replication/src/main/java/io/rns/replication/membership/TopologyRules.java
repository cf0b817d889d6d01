package io.rns.replication.membership;

import io.rns.replication.Topology;
import java.util.function.BooleanSupplier;

/**
 * What a server does next, by how the databases of its group are kept alike. Nothing here does it, nor keeps anything.
 */
public interface TopologyRules {
  /**
   * Decides.
   *
   * @param sight what is seen
   * @param primaryHasAll whether the primary's database has all that the own one has; asks it, so only where it matters
   */
  MembershipStep next(MembershipView sight, BooleanSupplier primaryHasAll);

  /** The rules of a topology, where commits wait for so much. */
  static TopologyRules of(Topology topology, Durability durability) {
    return switch (topology) {
      case SOURCE_REPLICA -> new SourceReplicaRules(durability);
      case GROUP -> new DatabaseGroupRules();
    };
  }
}
