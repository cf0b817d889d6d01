package io.rns.replication;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a server's database stands in its group.
 *
 * @param address where the other databases reach it, {@code host:port}
 * @param writable whether it takes commits
 * @param source the address that it replicates from
 * @param receiving whether it is connected to its source
 * @param applying whether what it receives is applied
 * @param transactions which transactions it has, in the form of the database
 * @param acknowledging how many replicas that acknowledge commits are connected to it; empty if its commits wait for
 *        none
 * @param trouble what the database says is wrong with the replication
 */
public record DatabaseReport(
    String address,
    boolean writable,
    Optional<String> source,
    boolean receiving,
    boolean applying,
    String transactions,
    OptionalInt acknowledging,
    Optional<String> trouble) {}
