package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.List;

/**
 * The namespace: five operations on one tree, and a read of subtrees. The store, the remote client and the wrappers
 * that route, retry or cache all implement this interface, so features can be stacked.
 *
 * <p>The items of a batch are processed in order, and independently unless the request is all-or-nothing. Expected
 * results (no such entry, entry exists, ...) are {@link Outcome}s; a request that could not be processed at all throws
 * {@link RnsException}. A replica may answer a call that is not to be forwarded with the server to ask instead
 * ({@link Answer.Referred}). After an error of {@link RnsError.Kind#TRANSIENT} a write may or may not have been
 * applied; a retry with the same request id returns the first answer and applies the write exactly once.
 *
 * <p>Implementations are safe for use by many threads. A read that begins after a write was acknowledged sees that
 * write.
 */
public interface NameService extends AutoCloseable {
  /**
   * Adds virtual directories and junctions.
   *
   * @return per entry, in order: the entry as stored, or the reason for refusal ({@link Refusal.EntryExists},
   *         {@link Refusal.NoSuchEntry} if its directory does not exist, {@link Refusal.NotDirectory},
   *         {@link Refusal.VersionMismatch}, {@link Refusal.IsDirectory}, {@link Refusal.NotApplied})
   */
  Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request);

  /**
   * Lists a page of a directory. Each page is a consistent view, but the pages of one listing are not one snapshot: an
   * entry that exists throughout is listed exactly once, an entry added or removed meanwhile may or may not appear.
   *
   * @return the page, or {@link Refusal.NoSuchEntry} or {@link Refusal.NotDirectory}
   * @throws RnsException {@link RnsError#INVALID_CURSOR} for the cursor of another directory
   */
  Answer<Outcome<Page>> list(CallContext call, ListRequest request);

  /**
   * Reads a page of everything below a directory, each directory before its content. Each page is a consistent view,
   * but the pages of a subtree are not one snapshot: an entry is reported exactly once if it exists throughout and
   * neither it nor a directory above it moves meanwhile; others may or may not be.
   *
   * <p>A page has entries of one server group. It ends behind a directory whose content another group owns, with the
   * position at which that group goes on.
   *
   * @return the page, or {@link Refusal.NoSuchEntry} or {@link Refusal.NotDirectory}
   * @throws RnsException {@link RnsError#UNKNOWN_OPERATION} where subtrees are not read at once, as by servers of other
   *         makes; {@link RnsError#LIMIT_EXCEEDED} if the next entry is deeper than paths reach
   */
  default Answer<Outcome<SubtreePage>> subtree(CallContext call, SubtreeRequest request) {
    throw new RnsException(RnsError.UNKNOWN_OPERATION, "subtrees are not read at once here");
  }

  /**
   * Looks up entries. All results of one request come from one consistent view.
   *
   * @return per target, in order: the entry, or {@link Refusal.NoSuchEntry} or {@link Refusal.NotDirectory}
   */
  Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request);

  /**
   * Renames and moves entries, and replaces their references and metadata.
   *
   * @return per change, in order: the entry as stored, or the reason for refusal ({@link Refusal.NoSuchEntry},
   *         {@link Refusal.EntryExists}, {@link Refusal.NotDirectory}, {@link Refusal.IsDirectory},
   *         {@link Refusal.MoveIntoSelf}, {@link Refusal.RootIsFixed}, {@link Refusal.VersionMismatch},
   *         {@link Refusal.NotApplied})
   */
  Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request);

  /**
   * Removes entries.
   *
   * @return per removal, in order: the entry before its removal, or the reason for refusal
   *         ({@link Refusal.NoSuchEntry}, {@link Refusal.NotEmpty}, {@link Refusal.RootIsFixed},
   *         {@link Refusal.VersionMismatch}, {@link Refusal.NotApplied})
   */
  Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request);

  /** Releases all resources; waits for running requests up to a limit. */
  @Override
  void close();
}
