package io.rns.loadtest.figure;

import java.util.List;

/**
 * What an experiment gave.
 *
 * @param all in the order in which they were planned
 */
public record Measurements(List<Measured> all, int planned) {
  public Measurements {
    all = List.copyOf(all);
  }

  public List<Measured> of(Figure figure) {
    return all.stream().filter(m -> m.cell().figure().equals(figure)).toList();
  }

  public int missing() {
    return planned - all.size();
  }
}
