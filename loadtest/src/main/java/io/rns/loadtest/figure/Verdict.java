package io.rns.loadtest.figure;

/**
 * A claim and what the simulation says of it.
 *
 * @param id a short name
 * @param claim what is claimed
 * @param source who claims it: a figure or section of the paper, or {@code bar} for what RNS wants of its own policy
 * @param expected the claimed figure
 * @param ours the figure measured, with its confidence interval where it is one
 * @param agreement whether that agrees
 */
public record Verdict(String id, String claim, String source, String expected, String ours, Agreement agreement) {
  /** Whether a claim is confirmed. */
  public enum Agreement {
    /** It is. */
    YES("yes"),
    /** It is not. */
    NO("no"),
    /** What is needed has not been measured. */
    NOT_MEASURED("not measured");

    private final String text;

    Agreement(String text) {
      this.text = text;
    }

    static Agreement of(boolean agrees) {
      return agrees ? YES : NO;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
