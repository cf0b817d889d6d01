package io.rns.server.namespace;

import io.rns.api.NameService;
import io.rns.api.RandomOperationsContract;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("server")
class LocalRandomOperationsTest extends RandomOperationsContract {
  private static Database database;
  private static LocalNameService service;

  @BeforeAll
  static void open() {
    database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()));
    service = TestServices.start(database);
  }

  @AfterAll
  static void close() {
    service.close();
    database.close();
  }

  @Override
  public NameService service() {
    return service;
  }
}
