package io.rns.server.namespace;

import io.rns.api.Entry;
import io.rns.api.EntryId;
import io.rns.server.store.ChangeLogTable;
import io.rns.server.store.DelegatedDirectoryTable;
import io.rns.server.store.DepartureTable;
import io.rns.server.store.DepartureTable.Departure;
import io.rns.server.store.DirectoryCountTable;
import io.rns.server.store.EntryKey;
import io.rns.server.store.EntryTable;
import io.rns.server.store.LoggedChange;
import io.rns.server.store.RemovedDirectoryTable;
import io.rns.server.store.Statements;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What a {@link Draft} changes in the tables.
 *
 * @param deleted keys whose entries are deleted before others are inserted
 * @param inserted entries
 * @param counted by how much the number of entries of directories changes
 * @param raised the heights that directories have reached
 * @param undelegated directories that are to be forgotten as those of other groups, before {@code delegated}
 * @param delegated directories whose content other groups own
 * @param concluded entries that no longer move to other groups, before {@code departures}
 * @param departures entries that begin to move
 * @param removed directories whose content is to be deleted
 * @param changes for the log
 */
record DraftRows(
    List<EntryKey> deleted, List<Entry> inserted, Map<EntryId, Long> counted, Map<EntryId, Integer> raised,
    Collection<EntryId> undelegated, Collection<DelegatedDirectoryTable.Row> delegated, Collection<EntryId> concluded,
    List<Departure> departures, List<EntryId> removed, List<LoggedChange> changes) {
  /** Adds all of it to the statements of the transaction. */
  void write(Statements statements) throws SQLException {
    EntryTable.delete(statements, deleted);
    EntryTable.insert(statements, inserted);
    DirectoryCountTable.add(statements, counted, raised);
    DelegatedDirectoryTable.delete(statements, undelegated);
    DelegatedDirectoryTable.replace(statements, delegated);
    DepartureTable.delete(statements, concluded);
    DepartureTable.insert(statements, departures);
    RemovedDirectoryTable.insert(statements, removed);
    ChangeLogTable.append(statements, changes);
  }
}
