package io.rns.loadtest.figure;

import io.rns.pool.PolicyType;

/** One point of one curve of a figure: the value of what varies, for q in calculations per second. */
public record Cell(Figure figure, PolicyType policy, double minCapacity, double value) {}
