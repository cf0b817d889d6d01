package io.rns.registrar;

/** Counts what happens at a registrar. */
final class RegistrarCounters {
  private long selections;
  private long rejections;
  private long reports;
  private long losses;
  private long takeovers;

  /** Somebody was told elements of a pool. */
  void selected() {
    selections++;
  }

  /** A resolution or a registration was refused. */
  void rejected() {
    rejections++;
  }

  /** A user could not reach an element and told this registrar. */
  void reported() {
    reports++;
  }

  /** An element with its home here was lost. */
  void lost() {
    losses++;
  }

  /** The elements of a dead registrar came here. */
  void tookOver() {
    takeovers++;
  }

  RegistrarFigures figures(int pools, int elements, int registrars) {
    return new RegistrarFigures(pools, elements, registrars, selections, rejections, reports, losses, takeovers);
  }
}
