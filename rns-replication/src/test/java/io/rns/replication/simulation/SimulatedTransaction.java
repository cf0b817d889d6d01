package io.rns.replication.simulation;

import io.rns.api.Position;
import io.rns.replication.MemberList;

/**
 * A transaction, as the log of a database has it.
 *
 * @param origin the database that made it; on MySQL, the database since it was rebuilt
 * @param number its number there: with the origin, its identity
 * @param epoch the epoch of the row of the group after it
 * @param sequence the number of the last write after it
 * @param write the write it makes; negative for none
 * @param beatMicros the time in the row after it
 * @param members the members of the group after it
 * @param confirmed the number of the last write of which it was known, when it was made, that enough replicas have it;
 *        {@link #ALL} where one suffices that has received it
 */
record SimulatedTransaction(int origin, int number, int epoch, long sequence, int write, long beatMicros,
    MemberList members, long confirmed) {
  static final long ALL = Long.MAX_VALUE;

  private static final int GROUP = 0;

  static final int NO_WRITE = -1;

  /** The position of readers who see it. */
  Position position() {
    return new Position(GROUP, epoch, sequence);
  }

  boolean isWrite() {
    return write != NO_WRITE;
  }
}
