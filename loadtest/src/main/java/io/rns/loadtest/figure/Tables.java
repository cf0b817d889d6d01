package io.rns.loadtest.figure;

import java.util.List;
import java.util.Locale;

/** Measurements as comma-separated values, with a header; numbers have a decimal point everywhere. */
public final class Tables {
  private static final String HEADER =
      "figure,policy,q,x,repetitions,speed,speed_ci95,utilisation,utilisation_ci95,"
          + "resolutions_per_request,resolutions_ci95,rejected_share,rejected_ci95,failed_share,failed_ci95\n";

  private Tables() {}

  /** A line per cell. */
  public static String csv(List<Measured> measured) {
    StringBuilder text = new StringBuilder(HEADER);
    for (Measured m : measured) {
      text.append(
          String.format(
              Locale.ROOT,
              "%s,%s,%.0f,%s,%d",
              m.cell().figure(),
              m.cell().policy(),
              m.cell().minCapacity(),
              m.cell().value(),
              m.repetitions()));
      for (Estimate estimate : List.of(m.speed(), m.utilisation(), m.resolutions(), m.rejected(), m.failed())) {
        text.append(String.format(Locale.ROOT, ",%.5f,%.5f", estimate.mean(), estimate.halfWidth()));
      }
      text.append('\n');
    }
    return text.toString();
  }
}
