package io.rns.loadtest.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.error.RnsException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningServiceTest {
  private static final URI SERVER = URI.create("http://127.0.0.1:8090/rns");

  @TempDir private Path data;

  private void state(String json) throws IOException {
    Files.writeString(data.resolve("run.json"), json);
  }

  @Test
  void findsTheDatabaseOfTheService() throws IOException {
    state(
        """
        {"ready": true, "url": "http://127.0.0.1:8090/rns", "jdbcUrl": "jdbc:mysql://127.0.0.1:3307/rns?sslMode=DISABLED",
         "databaseUser": "rns", "databasePassword": "a+b c"}
        """);
    assertThat(RunningService.in(data).database(SERVER))
        .contains("jdbc:mysql://127.0.0.1:3307/rns?sslMode=DISABLED&user=rns&password=a%2Bb+c");
    assertThat(RunningService.in(data).database(URI.create(SERVER + "/"))).isPresent();
  }

  @Test
  void leavesTheDatabaseOfAnotherServiceAlone() throws IOException {
    state("{\"url\": \"http://127.0.0.1:8080/rns\", \"jdbcUrl\": \"jdbc:mysql://127.0.0.1:3307/rns\"}");
    assertThat(RunningService.in(data).database(SERVER)).isEmpty();
  }

  @Test
  void knowsThatNothingRuns() throws IOException {
    assertThat(RunningService.in(data).database(SERVER)).isEmpty();
    state("{\"ready\": false}");
    assertThat(RunningService.in(data).database(SERVER)).isEmpty();
  }

  @Test
  void findsTheProcessesOfTheGroupThatAServerBelongsTo() throws IOException {
    state(
        """
        {"url": "http://127.0.0.1:8080/rns", "members": [{"url": "http://127.0.0.1:8080/rns"}, {"url": "http://127.0.0.1:8090/rns"}],
         "processes": [{"name": "supervisor", "pid": 1}, {"name": "the database of server-1", "pid": 2},
           {"name": "GlassFish of server-1", "pid": 3}, {"name": "the database of server-2", "pid": 4}]}
        """);
    assertThat(RunningService.in(data).processes(SERVER))
        .isEqualTo(Map.of("supervisor", List.of(1L), "database", List.of(2L, 4L), "GlassFish", List.of(3L)));
    assertThat(RunningService.in(data).processes(URI.create("http://127.0.0.1:8081/rns"))).isEmpty();
  }

  @Test
  void saysWhenTheStateCannotBeRead() throws IOException {
    state("{\"ready\": ");
    assertThatThrownBy(() -> RunningService.in(data).database(SERVER))
        .isInstanceOf(RnsException.class)
        .hasMessageContaining("run.json cannot be read");
  }
}
