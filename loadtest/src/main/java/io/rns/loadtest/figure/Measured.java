package io.rns.loadtest.figure;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.rns.loadtest.sim.Observation;
import java.util.List;

/**
 * What the repetitions of one cell gave.
 *
 * @param speed handling speed, a share of the mean capacity
 * @param resolutions questions to the registrar per request
 * @param rejected share of the tries
 * @param failed share of the requests
 */
public record Measured(
    @JsonUnwrapped Cell cell,
    @JsonIgnore int repetitions,
    Estimate speed,
    Estimate utilisation,
    @JsonProperty("resolutionsPerRequest") Estimate resolutions,
    @JsonProperty("rejectedShare") Estimate rejected,
    @JsonProperty("failedShare") Estimate failed) {
  static Measured of(Cell cell, List<Observation> seen) {
    return new Measured(
        cell,
        seen.size(),
        Estimate.of(seen, Observation::speed),
        Estimate.of(seen, Observation::utilisation),
        Estimate.of(seen, Observation::resolutionsPerRequest),
        Estimate.of(seen, Observation::rejectedShare),
        Estimate.of(seen, Observation::failedShare));
  }
}
