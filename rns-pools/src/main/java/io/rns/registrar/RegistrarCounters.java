package io.rns.registrar;

/** Event counters of a registrar. */
final class RegistrarCounters {
  private long selections;
  private long rejections;
  private long reports;
  private long losses;
  private long takeovers;
  private long updatesRefused;

  /** A resolution returned elements. */
  void selected() {
    selections++;
  }

  /** A resolution or registration was rejected. */
  void rejected() {
    rejections++;
  }

  /** A user reported an unreachable element to this registrar. */
  void reported() {
    reports++;
  }

  /** An element with its home here was lost. */
  void lost() {
    losses++;
  }

  /** This registrar took over the elements of a failed one. */
  void tookOver() {
    takeovers++;
  }

  /** There was no room for an element of another registrar. */
  void refusedUpdate() {
    updatesRefused++;
  }

  /** How often there was none. */
  long updatesRefused() {
    return updatesRefused;
  }

  RegistrarFigures figures(int pools, int elements, int registrars) {
    return new RegistrarFigures(pools, elements, registrars, selections, rejections, reports, losses, takeovers);
  }
}
