package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.Positions;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The primary of the server group that takes in the content of one directory. Every method throws what a write can be
 * refused with; {@link RnsError#UNAVAILABLE} also if another move of the directory has begun meanwhile.
 */
public interface ContentTarget {
  /** The version of the directory there, which an offer has to exceed; 0 if it is not known there. */
  long version();

  /**
   * Begins.
   *
   * @param from the group that owns the content
   * @param offered the version of the directory in that group
   * @param at the number of a change there: all of the copy is read after it
   * @param afresh whether what an interrupted move has copied is deleted
   * @throws RnsException {@link RnsError#BUSY} while content that was here before is being deleted: to be repeated
   */
  Receipt receive(int from, long offered, long at, boolean afresh);

  /**
   * A move that has begun.
   *
   * @param token tells it from others
   * @param since the number of a change after which all was read that was copied before: what has changed since may
   *        have to be copied again. Without a copy, that of {@link #receive}
   */
  record Receipt(long token, long since) {}

  /** Takes entries that it does not have, or has an earlier version of in their place: all fit into one transaction. */
  void insert(long token, List<Entry> entries);

  /**
   * Gives up entries that it has.
   *
   * @param forever whether with all that is below them; otherwise they are inserted again before the move ends
   */
  void remove(long token, List<EntryId> entries, boolean forever);

  /**
   * Keeps answers to requests that concerned the content, but for those that it has.
   *
   * @param answers rows of the database's log of requests, in Base64
   */
  void remember(long token, String answers);

  /**
   * Deletes what a move has copied that was cancelled, in the background.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if another move has begun since
   */
  void abandon(long token);

  /** How far the replica that is furthest behind in its group is behind, in milliseconds. */
  long lagMillis();

  /** Which of the entries it has in the content of the directory, also if they are to be inserted again. */
  Set<EntryId> has(Collection<EntryId> entries);

  /** The same without those that are to be inserted again. */
  Set<EntryId> settled(Collection<EntryId> entries);

  /** Whether all is deleted that was removed there: only then can something come back that was given up. */
  boolean isCleared();

  /** What it has. */
  ContentSum sum();

  /**
   * Serves the content from now on.
   *
   * @param given the position at which the former owner gave it away, and those of other groups that this reflects
   * @param version that the directory has there since
   */
  void own(long token, Positions given, long version);
}
