package io.rns.server.namespace;

/**
 * When transactions may take names and request ids for new ones. To look them up costs a transaction up to two round
 * trips; one that took for new what is not is rolled back and made again with look-ups. So look-ups begin with a
 * failure, and stay on for longer only while failures follow one another closely, as in an import of what exists: a
 * caller that adds a name that exists now and then does not slow the others down for more than that transaction.
 * Belongs to the writer's thread.
 */
final class Assumptions {
  /** Transactions with look-ups after a failure, at most. */
  static final int MOST = 16;

  /** Transactions with look-ups after the last failure: all of them, and those still to come. */
  private int lookUps;
  private int left;

  /** Transactions without look-ups since then, as far as that matters. */
  private int held;

  /** Whether the next transaction need not look up. */
  boolean allowed() {
    return left == 0;
  }

  /** A transaction without look-ups has failed because of what it took for new. */
  void noteFailure() {
    lookUps = held > lookUps ? 1 : Math.clamp(2L * lookUps, 1, MOST);
    left = lookUps;
    held = 0;
  }

  /** A transaction has ended well. */
  void noteSuccess() {
    if (left > 0) {
      left--;
    } else if (held <= MOST) {
      held++;
    }
  }
}
