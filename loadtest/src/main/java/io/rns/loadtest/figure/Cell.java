package io.rns.loadtest.figure;

import io.rns.pool.PolicyType;

/**
 * One point of one curve of a figure.
 *
 * @param minCapacity q, calculations per second
 * @param value of the quantity that varies
 */
public record Cell(Figure figure, PolicyType policy, double minCapacity, double value) {}
