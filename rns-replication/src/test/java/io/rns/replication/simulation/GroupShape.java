package io.rns.replication.simulation;

import io.rns.replication.membership.Durability;

/**
 * What a history begins with.
 *
 * @param engine the make of the databases
 * @param members number of servers, each with a database
 * @param automatic whether they fail over by themselves
 * @param durability what commits wait for
 */
record GroupShape(Engine engine, int members, boolean automatic, Durability durability) {
  /** Of a group whose commits wait for replicas. */
  GroupShape(Engine engine, int members, boolean automatic) {
    this(engine, members, automatic, Durability.REPLICATED);
  }
}
