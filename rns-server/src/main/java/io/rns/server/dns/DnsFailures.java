package io.rns.server.dns;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Consecutive failures of a socket: logged once, and retried after a pause. Belongs to one thread. */
final class DnsFailures {
  private static final Logger LOG = LoggerFactory.getLogger(DnsFailures.class);
  private static final long PAUSE_MILLIS = 100;

  private final CountDownLatch closed;
  private boolean told;

  /**
   * No failures so far.
   *
   * @param closed ends every pause
   */
  DnsFailures(CountDownLatch closed) {
    this.closed = closed;
  }

  /** It works. */
  void none() {
    told = false;
  }

  /** It does not: waits a moment. */
  void pauseAfter(IOException failure) {
    if (!told) {
      LOG.warn("DNS: a socket fails", failure);
      told = true;
    }
    try {
      if (closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.debug("closed after a failure");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
