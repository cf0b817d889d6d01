package io.rns.replication;

import io.rns.api.NameService;
import io.rns.api.Position;
import java.time.Duration;

/**
 * A server's own copy of the tree. Reads see a consistent position; writes are rejected unless the server is primary.
 */
public interface LocalCopy extends NameService {
  /** A position whose changes every read sees. */
  Position position();

  /** Whether reads see a position; true for positions of another group, which this copy never contains. */
  boolean hasServed(Position position);

  /** Waits until reads see a position, without holding a connection; false if that takes longer than {@code most}. */
  boolean awaitServed(Position position, Duration most);

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
