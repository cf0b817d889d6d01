package io.rns.server.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.api.AddRequest;
import io.rns.api.AddRequest.NewEntry;
import io.rns.api.Answer;
import io.rns.api.CallContext;
import io.rns.api.Entry;
import io.rns.api.Outcome;
import io.rns.api.QueryRequest;
import io.rns.api.Target;
import io.rns.permission.AccessControl;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writes that are prepared in advance, for nothing but that. */
@Tag("server")
class WriterWarmUpTest {
  @Test
  void preparesAllKindsOfChangesAndMakesNone() {
    try (Database database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
        LocalNameService service = TestServices.start(database)) {
      Target directory = Target.of("/warm-up-test-" + System.nanoTime());
      Answer<List<Outcome<Entry>>> added =
          service.add(CallContext.ANONYMOUS, AddRequest.of(NewEntry.directory(directory)));
      WriterWarmUp warmUp =
          new WriterWarmUp(
              database, new EntryCache(1 << 20), TestServices.WRITER, InstantSource.system(), AccessControl.open());
      for (boolean assuming : List.of(true, false)) {
        int changes = database.read(connection -> warmUp.prepare(connection, assuming));
        assertThat(changes).as("each entry is added, changed, and removed").isPositive().matches(n -> n % 3 == 0);
      }
      assertThat(database.group().position()).isEqualTo(added.position());
      assertThat(service.query(CallContext.ANONYMOUS, QueryRequest.of(Target.ROOT)).position())
          .isEqualTo(added.position());
    }
  }
}
