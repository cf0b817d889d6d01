package io.rns.server;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.function.IntSupplier;

/**
 * How busy a server is, in percent: the greater of two. One is how many processes of its machine have wanted a
 * processor in the last minute, per processor, since its database runs there, too; the other is how many of its places
 * for requests are taken, where those are limited. Thread-safe.
 */
final class ServerLoad {
  private static final int MOST = 100;

  private final OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
  private final IntSupplier occupiedPercent;

  /** The load of a server whose places are taken as the argument says. */
  ServerLoad(IntSupplier occupiedPercent) {
    this.occupiedPercent = occupiedPercent;
  }

  /** The load now, 0 to 100. */
  int percent() {
    // Below 0 if the system does not report it.
    double waiting = Math.max(0, system.getSystemLoadAverage());
    long machine = Math.round(MOST * waiting / system.getAvailableProcessors());
    return (int) Math.min(MOST, Math.max(machine, occupiedPercent.getAsInt()));
  }
}
