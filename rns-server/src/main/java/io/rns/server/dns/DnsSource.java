package io.rns.server.dns;

import io.rns.api.RnsPath;
import io.rns.pool.PoolService;
import java.net.URI;
import java.util.List;

/** What the zone is about. Safe for use by many threads. */
public interface DnsSource {
  /** The addresses of the servers of the namespace, such as {@code http://host:8080/rns}; the preferred first. */
  List<URI> servers();

  /** The pools. */
  PoolService pools();

  /** Whether an answer may have to wait for what is not in this process, such as the access rules of a path. */
  boolean mayWait();

  /**
   * Whether there may be pools below a path that is none itself: the name of such a path exists and has no data (RFC
   * 8020).
   *
   * @throws io.rns.error.RnsException if that is unknown now
   */
  boolean mayHavePoolsBelow(RnsPath path);
}
