package io.rns.handlespace;

import io.rns.api.RnsPath;
import io.rns.pool.PolicyType;

/**
 * The size of a pool.
 *
 * @param handle its handle
 * @param policy its policy, determined by its first element
 * @param elements the number of its elements
 * @param eligible the number of elements that can be selected
 */
public record PoolSummary(RnsPath handle, PolicyType policy, int elements, int eligible) {}
