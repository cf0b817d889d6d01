package io.rns.loadtest.quota;

import java.time.Duration;
import java.util.List;

/** The two interfaces of control groups, which differ in where the limit is written. */
enum Version {
  /** A tree for each controller; those of this one have the option {@code cpu} where they are mounted. */
  ONE {
    @Override
    List<Setting> settings(double processors) {
      return List.of(new Setting("cpu.cfs_period_us", "" + micros(1)),
          new Setting("cpu.cfs_quota_us", "" + micros(processors)));
    }
  },
  /** One tree for all. */
  TWO {
    @Override
    List<Setting> settings(double processors) {
      return List.of(new Setting("cpu.max", micros(processors) + " " + micros(1)));
    }
  };

  /**
   * As the kernel has it when nothing is said. Shorter ones cost more, longer ones let a process stand still for
   * longer.
   */
  private static final Duration PERIOD = Duration.ofMillis(100);

  /** A file of a group and what is written into it. */
  record Setting(String file, String value) {}

  /** What makes a group a limit. */
  abstract List<Setting> settings(double processors);

  private static long micros(double processors) {
    return Math.round(processors * PERIOD.toNanos() / 1_000);
  }
}
