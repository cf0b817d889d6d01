package io.rns.local;

/**
 * The fronts that a local service is to have.
 *
 * @param fronts their number
 * @param first port of the first, the others have the next ones; 0 for any free ports
 */
public record FrontPorts(int fronts, int first) {
  /** No front. */
  public static final FrontPorts NONE = new FrontPorts(0, 0);

  void start(LocalFronts in, FrontProcess.Servers servers) {
    if (fronts > 0) {
      in.start(fronts, first, servers);
    }
  }
}
