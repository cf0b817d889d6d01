package io.rns.local;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.rns.local.MemberProcesses.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The processes on a data directory and their addresses, as published in its {@code run.json}. For a group, the fields
 * of a single server are those of the first member. Immutable.
 *
 * @param ready whether it has answered a query
 * @param url where clients reach it, such as {@code http://127.0.0.1:8080/rns}; null before GlassFish runs
 * @param soap the SOAP endpoint; null before GlassFish runs
 * @param yardstick the application to compare it with; null unless requested
 * @param jdbcUrl the database, for Connector/J; null before it runs
 * @param databaseUser its user
 * @param databasePassword that user's password; the file is readable only by its owner
 * @param members the members of a group; null for a single server
 * @param fronts the connection servers; null if there are none
 * @param processes in start order
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
    @Nullable List<Member> members,
    @Nullable List<Front> fronts,
    List<ProcessIdentity> processes) {
  private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  RunState {
    members = members == null ? null : List.copyOf(members);
    fronts = fronts == null ? null : List.copyOf(fronts);
    processes = List.copyOf(processes);
  }

  /** A connection server. */
  record Front(String name, String url, long pid) {
    static Front of(FrontProcess front) {
      return new Front(front.name(), front.url(), front.identity().pid());
    }
  }

  /**
   * One server of a group; parts that do not run yet are null.
   *
   * @param group the number of its group
   * @param databaseAddress host and port of the database, for other databases
   * @param controlUser the database account that controls replication
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Member(
      String name,
      int group,
      @Nullable String url,
      @Nullable String soap,
      @Nullable String jdbcUrl,
      @Nullable String databaseUser,
      @Nullable String databasePassword,
      @Nullable String controlUser,
      @Nullable String controlPassword,
      @Nullable String databaseAddress,
      @Nullable Long glassFishPid,
      @Nullable Long databasePid) {
    static Member of(MemberProcesses member) {
      String url = member.urlIfStarted("rns");
      DatabaseProcess database = member.databaseIfStarted();
      return new Member(
          member.name(),
          member.group(),
          url,
          url == null ? null : url + MemberProcesses.SOAP_PATH,
          database == null ? null : database.jdbcUrl(),
          database == null ? null : database.user(),
          database == null ? null : database.password(),
          database == null ? null : database.controlUser(),
          member.controlPassword(),
          database == null ? null : "127.0.0.1:" + database.port(),
          pid(member, Part.SERVER),
          pid(member, Part.DATABASE));
    }

    private static @Nullable Long pid(MemberProcesses member, Part part) {
      return member.process(part).map(ProcessIdentity::pid).findFirst().orElse(null);
    }
  }

  /** The current state. */
  static RunState of(
      boolean ready, ProcessIdentity supervisor, List<MemberProcesses> running, List<FrontProcess> fronts) {
    List<ProcessIdentity> processes = new ArrayList<>(List.of(supervisor));
    for (Part part : Part.values()) {
      running.forEach(member -> member.process(part).forEach(processes::add));
    }
    fronts.forEach(front -> processes.add(front.identity()));
    if (running.isEmpty()) {
      return new RunState(ready, null, null, null, null, null, null, null, null, processes);
    }
    List<Member> members = running.stream().map(Member::of).toList();
    Member first = members.getFirst();
    return new RunState(
        ready,
        first.url(),
        first.soap(),
        running.getFirst().urlIfStarted("yardstick"),
        first.jdbcUrl(),
        first.databaseUser(),
        first.databasePassword(),
        first.name().isEmpty() ? null : members,
        fronts.isEmpty() ? null : fronts.stream().map(Front::of).toList(),
        processes);
  }

  /** Where clients reach the service: the first front, or else the first server. */
  String entrance() {
    return fronts == null || fronts.isEmpty() ? String.valueOf(url) : fronts.getFirst().url();
  }

  String json() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a run state is always JSON", e);
    }
  }

  /** The state in {@code file}; empty if it does not exist. */
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

  /** Deletes the file: nothing runs any more. */
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
