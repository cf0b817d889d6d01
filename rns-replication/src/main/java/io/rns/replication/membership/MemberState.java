package io.rns.replication.membership;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The observed state of a database in a replicated set.
 *
 * @param writable whether it accepts writes from accounts that cannot bypass read-only mode
 * @param source the address it is configured to replicate from, {@code host:port}, connected or not; empty for none. In
 *        a database group the elected database; empty if that is this one
 * @param receiving whether it is connected to its source; in a database group whether it is a member and reaches a
 *        majority
 * @param applying whether it applies received transactions
 * @param transactions its transactions, in its engine's notation; on a source including those that wait for a replica
 * @param acknowledging number of connected replicas that acknowledge; empty unless it was made writable with
 *        {@link Durability#REPLICATED}, so that commits wait for one. For the elected database of a group: the other
 *        members
 * @param trouble why it does not replicate, as reported by the database
 */
public record MemberState(
    boolean writable,
    Optional<String> source,
    boolean receiving,
    boolean applying,
    String transactions,
    OptionalInt acknowledging,
    Optional<String> trouble) {
  /** Whether a database group with a majority has elected this database, writable yet or not. */
  public boolean chosen() {
    return receiving && source.isEmpty();
  }
}
