package io.rns.replication;

import io.rns.api.NameService;
import io.rns.api.Position;
import io.rns.api.Positions;
import java.time.Duration;

/**
 * A server's own copy of the tree. Reads see a consistent position; writes are rejected unless the server is primary.
 */
public interface LocalCopy extends NameService {
  /** A position whose changes every read sees. */
  Position position();

  /** Whether reads see a session's position of this copy's group, if it has one. */
  boolean hasServed(Positions seen);

  /**
   * Waits until reads see a session's position of this copy's group, without holding a connection.
   *
   * @return true at once if the session has seen nothing of this group; false if it takes longer than {@code most}
   */
  boolean awaitServed(Positions seen, Duration most);

  /** Upper bound for the staleness of reads, in milliseconds; 0 on the primary. */
  long ageMillis();

  /**
   * Checks that reads see every change acknowledged to any client.
   *
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#NOT_PRIMARY}, or
   *         {@link io.rns.error.RnsError#UNAVAILABLE} if this is currently unknown
   */
  void checkLatest();
}
