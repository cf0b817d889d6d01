package io.rns.loadtest.figure;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.rns.pool.PolicyType;

/** One point of one curve of a figure: the value of what varies, for q in calculations per second. */
public record Cell(Figure figure, PolicyType policy, @JsonProperty("q") double minCapacity,
    @JsonProperty("x") double value) {}
