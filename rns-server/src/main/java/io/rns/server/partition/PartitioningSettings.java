package io.rns.server.partition;

import com.fasterxml.jackson.annotation.JsonValue;
import io.rns.replication.partition.BalancerSettings;
import java.util.Locale;

/**
 * How the group that owns the root looks after the loads of all groups.
 *
 * @param mode what it does by itself
 * @param balancer what its decisions go by
 */
public record PartitioningSettings(Mode mode, BalancerSettings balancer) {
  /** A server that looks after nothing. */
  public static final PartitioningSettings OFF = new PartitioningSettings(Mode.OFF, BalancerSettings.DEFAULT);

  /** What happens without a command. */
  public enum Mode {
    /** Nothing. */
    OFF,
    /** Windows are measured, decisions recorded. */
    SUGGEST,
    /** The same, and what is decided is done. */
    AUTO;

    /** As it is written. */
    @JsonValue
    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
