package io.rns.loadtest.figure;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/**
 * A claim and what the simulation says of it.
 *
 * @param source who claims it: a figure or section of the paper, or {@code bar} for what RNS wants of its own policy
 */
public record Verdict(String id, String claim, String source, String expected, String ours,
    @JsonProperty("agrees") Agreement agreement) {
  public enum Agreement {
    YES, NO, NOT_MEASURED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }
}
