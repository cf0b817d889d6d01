package io.rns.loadtest.sim;

/** Counts what happens from the end of the warm-up on; a request counts when it ends. */
final class SimulationCounters {
  private final Calendar calendar;
  private final double fromSeconds;
  private long served;
  private long failed;
  private long tries;
  private long rejections;
  private double size;
  private double handlingSeconds;
  private long present;
  private double presentAt;
  private double presentSeconds;

  SimulationCounters(Calendar calendar, double fromSeconds) {
    this.calendar = calendar;
    this.fromSeconds = fromSeconds;
  }

  private boolean counts() {
    return calendar.now() >= fromSeconds;
  }

  private void change(int by) {
    double now = calendar.now();
    presentSeconds += present * Math.max(0, now - Math.max(presentAt, fromSeconds));
    presentAt = now;
    present += by;
  }

  void made() {
    change(1);
  }

  void tried() {
    tries += counts() ? 1 : 0;
  }

  void rejected() {
    rejections += counts() ? 1 : 0;
  }

  void failed() {
    change(-1);
    failed += counts() ? 1 : 0;
  }

  void served(double requestSize, double seconds) {
    change(-1);
    if (counts()) {
      served++;
      size += requestSize;
      handlingSeconds += seconds;
    }
  }

  Observation observation(double meanCapacity, double utilisation, long resolutions) {
    change(0);
    double seconds = calendar.now() - fromSeconds;
    return new Observation(
        handlingSeconds == 0 ? 0 : size / handlingSeconds / meanCapacity,
        utilisation,
        served,
        failed,
        tries,
        rejections,
        resolutions,
        served == 0 ? 0 : handlingSeconds / served,
        presentSeconds / seconds,
        seconds);
  }
}
