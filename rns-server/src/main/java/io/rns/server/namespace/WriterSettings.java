package io.rns.server.namespace;

import io.rns.replication.partition.Anchors;
import java.time.Duration;

/**
 * How the writer works; documented knob by knob in docs/operations.md.
 *
 * @param queueRequests most requests that wait
 * @param batchRequests most requests of one transaction
 * @param timeout longest wait of a request for its answer
 * @param requestIdsKept how long answers to requests with an id are kept
 * @param changesKept how long the change log is kept
 * @param beat how often an idle primary commits a heartbeat, so that replicas know how old they are and it knows itself
 *        to be the primary still; zero for never, of a server without others
 * @param ownsRoot whether the group owns the root of the tree: the root of another one has only what is kept of the
 *        directories whose content it owns, and no caller changes that
 */
public record WriterSettings(
    int queueRequests,
    int batchRequests,
    Duration timeout,
    Duration requestIdsKept,
    Duration changesKept,
    Duration beat,
    boolean ownsRoot) {
  private static final int BEATS_OF_LEASE = 6;

  /** Where the group keeps content of other groups' directories. */
  Anchors anchors() {
    return Anchors.of(ownsRoot);
  }

  /** Whether there are other servers, one of which may become the primary. */
  boolean inGroup() {
    return !beat.isZero();
  }

  /** How long after its last commit a primary may be sure that there is no other. */
  public Duration lease() {
    return beat.multipliedBy(BEATS_OF_LEASE);
  }
}
