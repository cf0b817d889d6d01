package io.rns.replication.membership;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * One look at a database of a replicated set.
 *
 * @param writable whether it takes writes of accounts that are not allowed to pass over read-only
 * @param source where it replicates from, {@code host:port}, whether it does at the moment or not; empty for none. In a
 *        database group the one that the group has chosen to take writes; empty if it is that one itself
 * @param receiving whether it is connected to its source now; in a database group whether it is a member and reaches a
 *        majority
 * @param applying whether it applies what it has received
 * @param transactions what it has, in the form of its engine; on a source also what still waits for a replica
 * @param acknowledging how many replicas are connected that acknowledge what they receive; empty unless it was made
 *        writable with {@link Durability#REPLICATED}, so that its commits wait for one. In a database group, of the one
 *        that takes writes: the other members
 * @param trouble why it does not replicate, in the words of the database
 */
public record MemberState(
    boolean writable,
    Optional<String> source,
    boolean receiving,
    boolean applying,
    String transactions,
    OptionalInt acknowledging,
    Optional<String> trouble) {
  /** Whether a database group that has a majority has chosen it to take writes, be it that it does already or not. */
  public boolean chosen() {
    return receiving && source.isEmpty();
  }
}
