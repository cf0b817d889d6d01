package io.rns.replication.simulation;

import org.jspecify.annotations.Nullable;

/**
 * A transaction on the row of the group, which is locked for it.
 *
 * @param epoch the epoch that the row must have; negative for any, to begin the next one
 * @param after the epoch to begin is later than this
 * @param write the write; {@link SimulatedTransaction#NO_WRITE} for none
 * @param beatMicros the time of the server
 */
record ClientWrite(int epoch, int after, int write, long beatMicros) {
  private static final int ANY = -1;

  static ClientWrite nextEpoch(int after, long beatMicros) {
    return new ClientWrite(ANY, after, SimulatedTransaction.NO_WRITE, beatMicros);
  }

  static ClientWrite in(int epoch, int write, long beatMicros) {
    return new ClientWrite(epoch, 0, write, beatMicros);
  }

  boolean fits(@Nullable SimulatedTransaction row) {
    return epoch == ANY || (row != null && row.epoch() == epoch);
  }

  /** The transaction it makes of the row. */
  SimulatedTransaction on(@Nullable SimulatedTransaction row, int origin, int number) {
    int present = row == null ? 0 : row.epoch();
    long sequence = row == null ? 0 : row.sequence();
    return new SimulatedTransaction(
        origin, number, epoch == ANY ? Math.max(present, after) + 1 : epoch,
        write == SimulatedTransaction.NO_WRITE ? sequence : sequence + 1, write, beatMicros);
  }
}
