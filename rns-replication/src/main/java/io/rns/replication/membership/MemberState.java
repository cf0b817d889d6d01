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
 * @param received what has arrived from its source, applied or not, in its engine's notation: another text when
 *        something has; empty without a source, and in a database group
 * @param acknowledging number of connected replicas that acknowledge; empty unless it was made writable so that commits
 *        wait for replicas. For the elected database of a group: the other members
 * @param trouble why it does not replicate, as reported by the database
 * @param run which run of the database process this is: another number after each restart, whoever asks and however
 *        long it took. The number itself means nothing. {@link #UNKNOWN_RUN} in a database group, which sees to this
 *        itself. Two runs are taken for one by a chance of one in a billion, and if an operator sets the database's
 *        time to wait for a replica to more than 38 days; one run for two if an operator sets it to another value
 *        meanwhile
 */
public record MemberState(
    boolean writable,
    Optional<String> source,
    boolean receiving,
    boolean applying,
    String transactions,
    String received,
    OptionalInt acknowledging,
    Optional<String> trouble,
    long run) {
  /** Where runs are not told apart. */
  public static final long UNKNOWN_RUN = 0;

  /** Whether a database group with a majority has elected this database, writable yet or not. */
  public boolean chosen() {
    return receiving && source.isEmpty();
  }
}
