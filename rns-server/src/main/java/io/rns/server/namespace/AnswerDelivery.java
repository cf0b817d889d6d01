package io.rns.server.namespace;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives callers their answers when a transaction is committed and published. To wake the callers of a large batch takes
 * a fraction of a millisecond, which the writer spends on the next transaction instead: a thread of its own answers
 * them, at most one at a time, so that at most one batch of answers is kept for it.
 *
 * <p>Nothing has to be closed: the thread ends when its batch is answered. Used by the writer's thread.
 */
final class AnswerDelivery {
  private static final Logger LOG = LoggerFactory.getLogger(AnswerDelivery.class);

  /** Callers that are woken as fast as a thread that wakes them. */
  private static final int FEW = 4;

  private final AtomicBoolean underway = new AtomicBoolean();

  /** Answers the callers of what is done, soon; whatever fails here, the write has not. */
  void deliver(WriteTransaction transaction, List<PendingWrite> batch) {
    if (batch.size() > FEW && underway.compareAndSet(false, true)) {
      Thread.ofVirtual().name("rns-answers").start(() -> {
        try {
          answer(transaction, batch);
        } finally {
          underway.set(false);
        }
      });
    } else {
      answer(transaction, batch);
    }
  }

  private static void answer(WriteTransaction transaction, List<PendingWrite> batch) {
    try {
      transaction.deliver();
    } catch (RuntimeException | Error e) {
      // Nobody else would answer them: the writer is at the next batch.
      LOG.error("the result of a write could not be delivered", e);
      RnsException lost =
          new RnsException(RnsError.TIMEOUT, "the write may or may not have been applied: its answer was lost", e);
      batch.forEach(write -> write.fail(lost));
    }
  }
}
