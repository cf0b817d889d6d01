package io.rns.local;

import io.rns.replication.Topology;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which databases a local group has.
 *
 * @param mySql where a MySQL is unpacked, as docker/mysql-debian.sh does it; null for the embedded MariaDB
 * @param topology how they are kept alike; {@link Topology#GROUP} with MySQL only
 */
public record LocalDatabases(@Nullable Path mySql, Topology topology) {
  /** Embedded MariaDBs, a source and its replicas. */
  public static final LocalDatabases EMBEDDED = new LocalDatabases(null, Topology.SOURCE_REPLICA);

  /** Refuses what MariaDB cannot. */
  public LocalDatabases {
    if (mySql == null && topology == Topology.GROUP) {
      throw new IllegalArgumentException("--topology group needs --engine mysql: MariaDB has no such thing");
    }
  }

  /** The engine, as {@code --engine} has it. */
  String engine() {
    return mySql == null ? "mariadb" : "mysql";
  }

  /** The topology, as {@code --topology} and {@code RNS_TOPOLOGY} have it. */
  String topologyName() {
    return topology.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What a command line needs to have the same ones. */
  String options() {
    return equals(EMBEDDED) ? "" : " --engine " + engine() + " --topology " + topologyName();
  }
}
