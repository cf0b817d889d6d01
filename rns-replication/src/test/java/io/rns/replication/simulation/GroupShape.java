package io.rns.replication.simulation;

/**
 * What a history begins with.
 *
 * @param engine the make of the databases
 * @param members number of servers, each with a database
 * @param automatic whether they fail over by themselves
 */
record GroupShape(Engine engine, int members, boolean automatic) {}
