package io.rns.replication;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The replication state of a server's database.
 *
 * @param address where the other databases reach it, {@code host:port}
 * @param writable whether it accepts commits
 * @param source the address it replicates from
 * @param receiving whether it is connected to its source
 * @param applying whether it applies received transactions
 * @param transactions its transactions, in the database's notation; after {@link GroupMember#stopReceiving} with those
 *        that it has received and not yet applied
 * @param acknowledging connected replicas that acknowledge commits; empty if its commits wait for none
 * @param trouble the replication error reported by the database
 */
public record DatabaseReport(
    String address,
    boolean writable,
    Optional<String> source,
    boolean receiving,
    boolean applying,
    String transactions,
    OptionalInt acknowledging,
    Optional<String> trouble) {
  /** Whether so many replicas are there to acknowledge its commits, or these wait for none. */
  public boolean isAcknowledged(int replicas) {
    return acknowledging.isEmpty() || acknowledging.getAsInt() >= replicas;
  }
}
