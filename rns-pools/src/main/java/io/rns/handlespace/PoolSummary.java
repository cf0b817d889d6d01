package io.rns.handlespace;

import io.rns.api.RnsPath;
import io.rns.pool.PolicyType;

/**
 * A pool in numbers.
 *
 * @param handle its handle
 * @param policy its policy, fixed by its first element
 * @param elements how many it has
 * @param eligible how many of them can be selected
 */
public record PoolSummary(RnsPath handle, PolicyType policy, int elements, int eligible) {}
