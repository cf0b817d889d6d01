package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.List;

/**
 * The namespace: five operations on one tree. Everything that serves names implements it (the store, the remote client,
 * wrappers that route, retry or cache), so features can be stacked.
 *
 * <p>Items of a batch are answered one by one, in order, and independently unless the request says all-or-nothing. What
 * a namespace is expected to say (no such entry, exists, ...) is an {@link Outcome}; a request that could not be
 * answered at all throws {@link RnsException}. After {@link RnsError.Kind#TRANSIENT} errors a write may or may not have
 * been applied; repeating it with the same request id gives the first answer and applies it once.
 *
 * <p>Implementations are safe for use by many threads. A read that begins after a write was answered sees that write.
 */
public interface NameService extends AutoCloseable {
  /**
   * Adds virtual directories and junctions.
   *
   * @return per entry, in order: the entry as it now is, or why it was refused ({@link Refusal.EntryExists},
   *         {@link Refusal.NoSuchEntry} if its directory does not exist, {@link Refusal.NotDirectory},
   *         {@link Refusal.VersionMismatch}, {@link Refusal.IsDirectory}, {@link Refusal.NotApplied})
   */
  Answer<List<Outcome<Entry>>> add(CallContext call, AddRequest request);

  /**
   * Lists a page of a directory. A page is one consistent view; pages of one listing are not one snapshot: an entry
   * that was there all the time is listed once, one that came or went meanwhile may or may not be.
   *
   * @return the page, or {@link Refusal.NoSuchEntry} or {@link Refusal.NotDirectory}
   * @throws RnsException {@link RnsError#INVALID_CURSOR} for the cursor of another directory
   */
  Answer<Outcome<Page>> list(CallContext call, ListRequest request);

  /**
   * Looks up entries. All of one request are one consistent view.
   *
   * @return per target, in order: the entry, or {@link Refusal.NoSuchEntry} or {@link Refusal.NotDirectory}
   */
  Answer<List<Outcome<Entry>>> query(CallContext call, QueryRequest request);

  /**
   * Renames, moves, and replaces references and metadata.
   *
   * @return per change, in order: the entry as it now is, or why it was refused ({@link Refusal.NoSuchEntry},
   *         {@link Refusal.EntryExists}, {@link Refusal.NotDirectory}, {@link Refusal.IsDirectory},
   *         {@link Refusal.MoveIntoSelf}, {@link Refusal.RootIsFixed}, {@link Refusal.VersionMismatch},
   *         {@link Refusal.NotApplied})
   */
  Answer<List<Outcome<Entry>>> update(CallContext call, UpdateRequest request);

  /**
   * Removes entries.
   *
   * @return per removal, in order: the entry as it was, or why it was refused ({@link Refusal.NoSuchEntry},
   *         {@link Refusal.NotEmpty}, {@link Refusal.RootIsFixed}, {@link Refusal.VersionMismatch},
   *         {@link Refusal.NotApplied})
   */
  Answer<List<Outcome<Entry>>> remove(CallContext call, RemoveRequest request);

  /** Gives back what the service holds; waits for running requests within a bound. */
  @Override
  void close();
}
