package io.rns.replication.member;

import java.time.Instant;

/**
 * The last commit of a primary, as its database has it. A primary that answers reads by its lease has made it within
 * that time.
 *
 * @param epoch in which the primary led; 0 if there has been none
 * @param at when it was made, by the clock of the primary
 */
public record LastCommit(int epoch, Instant at) {
  /** Of a database that no primary has written. */
  static final LastCommit NONE = new LastCommit(0, Instant.EPOCH);
}
