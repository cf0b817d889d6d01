package io.rns.loadtest.figure;

import io.rns.pool.PolicyType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

public final class Measurements {
  private final Map<Cell, Measured> measured = new LinkedHashMap<>();
  private final int planned;

  public Measurements(List<Measured> all, int planned) {
    all.forEach(m -> measured.put(m.cell(), m));
    this.planned = planned;
  }

  /** In the order in which they were planned. */
  public List<Measured> all() {
    return List.copyOf(measured.values());
  }

  public List<Measured> of(Figure figure) {
    return measured.values().stream().filter(m -> m.cell().figure() == figure).toList();
  }

  public int missing() {
    return planned - measured.size();
  }

  Measured get(Figure figure, PolicyType policy, double minCapacity, double value) {
    return Optional.ofNullable(measured.get(new Cell(figure, policy, minCapacity, value)))
        .orElseThrow(NotMeasuredException::new);
  }

  /** A claim cannot be checked with what was measured. */
  static final class NotMeasuredException extends RuntimeException {
    NotMeasuredException() {
      super("not measured");
    }
  }
}
