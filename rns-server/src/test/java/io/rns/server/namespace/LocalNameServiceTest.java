package io.rns.server.namespace;

import io.rns.api.NameService;
import io.rns.api.NameServiceContract;
import io.rns.server.TestDatabase;
import io.rns.server.store.Database;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class LocalNameServiceTest extends NameServiceContract {
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
