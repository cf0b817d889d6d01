package io.rns.server.namespace;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.CallContext;
import io.rns.api.EndpointReference;
import io.rns.api.RemoveRequest;
import io.rns.api.RemoveRequest.Removal;
import io.rns.api.RequestId;
import io.rns.api.Target;
import io.rns.api.UpdateRequest;
import io.rns.api.UpdateRequest.EntryChange;
import io.rns.api.WriteRequest;
import io.rns.permission.AccessControl;
import io.rns.replication.Timing;
import io.rns.server.store.Database;
import io.rns.server.store.GroupTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes that a replica prepares in memory and forgets: when it becomes the primary, its first transaction, for which
 * all clients wait, does not load the classes for it. Reads from the database, changes nothing.
 */
record WriterWarmUp(
    Database database, EntryCache cache, WriterSettings settings, InstantSource clock, AccessControl control) {
  private static final Logger LOG = LoggerFactory.getLogger(WriterWarmUp.class);

  /** With and without a look at what was answered before; the first of each loads the classes. */
  private static final int TRANSACTIONS = 4;

  private static final int ENTRIES = 8;

  /** Warms up on a thread of its own. */
  void start() {
    Thread unused = Thread.ofPlatform().name("rns-warm-up").daemon().start(() -> {
      try {
        for (int i = 0; i < TRANSACTIONS; i++) {
          boolean assuming = i % 2 == 0;
          int changes = database.read(connection -> prepare(connection, assuming));
          LOG.debug("warmed up with {} changes", changes);
        }
      } catch (RuntimeException e) {
        LOG.debug("the writer was not warmed up: {}", e.toString());
      }
    });
  }

  /**
   * Prepares one transaction.
   *
   * @param assuming as {@link WriteTransaction#prepare}
   * @return how many changes it would make
   */
  int prepare(Connection connection, boolean assuming) throws SQLException {
    WriteTransaction transaction =
        WriteTransaction.prepare(
            new SqlRows(connection), cache, new Heights(), new DelegatedDirectories(), new Departures(),
            new FrozenContent(Timing.system()), GroupTable.find(connection), clock.instant(), batch(), assuming,
            settings, control);
    // Far too few to be sent before they are executed.
    var unused = transaction.statements(connection);
    transaction.deliver();
    return transaction.draft().changes().size();
  }

  private static List<PendingWrite> batch() {
    EndpointReference reference = EndpointReference.ofAddress("https://warm-up.invalid/");
    List<PendingWrite> batch = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      Target target = Target.of("/warm-up-" + UUID.randomUUID());
      batch.add(write(AddRequest.of(NewEntry.junction(target, reference))));
      batch.add(write(UpdateRequest.of(EntryChange.references(target, List.of(reference)))));
      batch.add(write(RemoveRequest.of(Removal.of(target))));
    }
    return batch;
  }

  private static PendingWrite write(WriteRequest request) {
    return new PendingWrite(CallContext.SERVICE.with(RequestId.random()), request);
  }
}
