package io.rns.replication.partition;

import io.rns.api.RnsPath;

/**
 * The part of a path that lies in one partition.
 *
 * @param group the server group that owns the partition
 * @param path in the group's own words, as its change log has it
 */
public record GroupPath(int group, RnsPath path) {}
