package io.rns.server.local;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What runs on a data directory, as written to its {@code run.json} for other commands: where it is reached and which
 * processes it is. Immutable.
 *
 * @param ready whether it has answered a query
 * @param url where clients reach it, such as {@code http://127.0.0.1:8080/rns}; null before GlassFish runs
 * @param soap the SOAP endpoint; null before GlassFish runs
 * @param yardstick the application it can be compared with; null unless asked for
 * @param jdbcUrl the database, for Connector/J; null before it runs
 * @param databaseUser its user
 * @param databasePassword that user's password; the file can be read by its owner only
 * @param processes in the order in which they were started
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RunState(
    boolean ready,
    @Nullable String url,
    @Nullable String soap,
    @Nullable String yardstick,
    @Nullable String jdbcUrl,
    @Nullable String databaseUser,
    @Nullable String databasePassword,
    List<ProcessIdentity> processes) {
  private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  RunState {
    processes = List.copyOf(processes);
  }

  static RunState begun(ProcessIdentity supervisor) {
    return new RunState(false, null, null, null, null, null, null, List.of(supervisor));
  }

  /** With the database's process in place of a former one. */
  RunState with(DatabaseProcess database) {
    return new RunState(
        ready,
        url,
        soap,
        yardstick,
        database.jdbcUrl(),
        database.user(),
        database.password(),
        replaced(database.identity()));
  }

  RunState with(GlassFishProcess glassFish, boolean hasYardstick) {
    return new RunState(
        ready,
        glassFish.url("rns"),
        glassFish.url("rns") + LocalService.SOAP_PATH,
        hasYardstick ? glassFish.url("yardstick") : null,
        jdbcUrl,
        databaseUser,
        databasePassword,
        replaced(glassFish.identity()));
  }

  RunState nowReady() {
    return new RunState(true, url, soap, yardstick, jdbcUrl, databaseUser, databasePassword, processes);
  }

  private List<ProcessIdentity> replaced(ProcessIdentity process) {
    List<ProcessIdentity> all = new ArrayList<>(processes);
    all.removeIf(former -> former.name().equals(process.name()));
    all.add(process);
    return all;
  }

  String json() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a run state is always JSON", e);
    }
  }

  /** The state in {@code file}; empty when there is none. */
  static Optional<RunState> read(Path file) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readValue(file.toFile(), RunState.class));
    } catch (IOException e) {
      throw new LocalServiceException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Says that nothing runs any more. */
  static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new LocalServiceException(file + " cannot be deleted: " + e.getMessage(), e);
    }
  }

  void write(Path file) {
    try {
      FileTrees.writePrivate(file, json() + "\n");
    } catch (IOException e) {
      throw new LocalServiceException(file + " cannot be written: " + e.getMessage(), e);
    }
  }
}
