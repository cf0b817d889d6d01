package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.api.EntryName;
import io.rns.api.Position;
import io.rns.server.store.DelegatedDirectoryTable;
import io.rns.server.store.DepartureTable.Departure;
import io.rns.server.store.DirectoryCountTable;
import io.rns.server.store.EntryKey;
import io.rns.server.store.LoggedChange;
import io.rns.server.store.RequestKey;
import io.rns.server.store.RequestLogTable.AnsweredRequest;
import io.rns.server.store.RequestLogTable.Given;
import io.rns.server.store.SubtreeRows;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the database of a server group has. Every method asks it, and throws an {@link io.rns.error.RnsException} if it
 * does not answer.
 */
interface GroupRows {
  /** The position as last committed. */
  Position position();

  /** The entries of keys, as far as there are some. */
  Map<EntryKey, Entry> find(Collection<EntryKey> keys);

  /** The entry of a key, and of names that follow one another below it, as far as one statement leads. */
  Map<EntryKey, Optional<Entry>> findPath(EntryKey key, List<EntryName> below);

  /** The entry of an identity. */
  @Nullable
  Entry find(EntryId id);

  /** The entries of identities, as far as there are some. */
  Map<EntryId, Entry> findIds(Collection<EntryId> ids);

  /** What is kept of each directory. */
  Map<EntryId, DirectoryCountTable.Row> counts(Collection<EntryId> directories);

  /** The directories whose content other server groups own. */
  List<EntryId> delegated();

  /** As {@link DelegatedDirectoryTable.Row#copiedSince}. */
  long copiedSince(EntryId directory);

  /** The entries that are moving from this group to others. */
  List<Departure> departures(int group);

  /** The answered ones among the requests. */
  Map<RequestKey, AnsweredRequest> answered(Collection<RequestKey> keys);

  /** As {@link io.rns.server.store.RequestLogTable#before}. */
  long answersBefore(Instant since);

  /** As {@link io.rns.server.store.RequestLogTable#after}. */
  Given answers(long after, int rows);

  /** Changes after a position, in order; of so many rows of the log. */
  List<LoggedChange> changes(Position after, int rows);

  /** As {@link SubtreeRows#read}. */
  void subtree(EntryId directory, Predicate<EntryId> enters, SubtreeRows.Sink sink);

  /** Whether what a directory had is still to be deleted. */
  boolean isBeingDeleted(EntryId directory);

  /** Whether all is deleted that was removed. */
  boolean isCleared();
}
