package io.rns.loadtest.figure;

import java.util.List;
import java.util.stream.Stream;

/** All claims: those of the paper, and the bars that RNS sets for its own policy. */
public final class Claims {
  private Claims() {}

  /** Checks each with what there is. */
  public static List<Verdict> check(Measurements measurements) {
    return Stream.of(WorkloadClaims.ALL, HeterogeneityClaims.ALL, NetworkClaims.ALL, AdaptiveBars.ALL)
        .flatMap(List::stream)
        .map(claim -> claim.verdict(measurements))
        .toList();
  }
}
