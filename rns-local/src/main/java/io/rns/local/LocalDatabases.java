package io.rns.local;

import io.rns.replication.Topology;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The databases of a local group.
 *
 * @param mySql where a MySQL is unpacked by docker/mysql-debian.sh; null for the embedded MariaDB
 * @param topology how they replicate; {@link Topology#GROUP} only with MySQL
 */
public record LocalDatabases(@Nullable Path mySql, Topology topology) {
  /** Embedded MariaDBs: one source and its replicas. */
  public static final LocalDatabases EMBEDDED = new LocalDatabases(null, Topology.SOURCE_REPLICA);

  /** Rejects a topology that MariaDB does not support. */
  public LocalDatabases {
    if (mySql == null && topology == Topology.GROUP) {
      throw new IllegalArgumentException("--topology group needs --engine mysql: MariaDB does not support it");
    }
  }

  /** The value of {@code --engine}. */
  String engine() {
    return mySql == null ? "mariadb" : "mysql";
  }

  /** The value of {@code --topology} and {@code RNS_TOPOLOGY}. */
  String topologyName() {
    return topology.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The command line options for the same databases. */
  String options() {
    return equals(EMBEDDED) ? "" : " --engine " + engine() + " --topology " + topologyName();
  }
}
