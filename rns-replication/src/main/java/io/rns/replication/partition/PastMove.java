package io.rns.replication.partition;

import io.rns.api.RnsPath;
import java.time.Instant;

/**
 * A move of a directory that has begun.
 *
 * @param at when it began
 * @param path where the directory was
 * @param from the group that owned its content
 * @param to the group to which it went
 * @param byLoad whether the loads were the reason, or it was taken back; not if an operator wanted it there
 */
public record PastMove(Instant at, RnsPath path, int from, int to, boolean byLoad) {}
