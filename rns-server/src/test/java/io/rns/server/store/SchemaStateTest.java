package io.rns.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.rns.server.TestDatabase;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class SchemaStateTest {
  /** Otherwise a database of the version before would keep its tables. */
  @Test
  void theNewestVersionIsThatOfTheNewestScript() throws IOException, URISyntaxException {
    Path schema = Path.of(Objects.requireNonNull(Database.class.getResource("schema")).toURI());
    try (Stream<Path> scripts = Files.list(schema)) {
      List<Integer> versions = scripts
          .map(script -> Integer.valueOf(script.getFileName().toString().replaceFirst("V(\\d+)__.*", "$1")))
          .sorted().toList();
      assertThat(versions.getLast()).isEqualTo(SchemaState.NEWEST);
    }
  }

  @Test
  void aDatabaseIsCurrentOnceAllScriptsWereRun() {
    try (Database database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()))) {
      database.migrate();
      assertThat(database.<SchemaState>read(SchemaState::of)).isEqualTo(new SchemaState(false, SchemaState.NEWEST));
      assertThat(new SchemaState(false, SchemaState.NEWEST - 1).isCurrent()).isFalse();
      assertThat(new SchemaState(false, SchemaState.NEWEST + 1).isCurrent()).isTrue();
    }
  }

  /** Flyway would take up to seconds, while all writes wait for this server to become the primary. */
  @Test
  void flywayDoesNotLookAtACurrentDatabase() {
    try (Database database = new Database(TestDatabase.settings(TestDatabase.sharedUrl()))) {
      database.migrate();
      try {
        change(database, "checksum + 1");
        assertThatCode(database::migrate).as("without its check of the scripts").doesNotThrowAnyException();
      } finally {
        change(database, "checksum - 1");
      }
    }
  }

  private static void change(Database database, String checksum) {
    int unused = database.write(connection -> {
      MemberConnection.execute(connection, "UPDATE schema_history SET checksum = " + checksum + " WHERE version = 1");
      connection.commit();
      return 0;
    });
  }
}
