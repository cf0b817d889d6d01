package io.rns.loadtest.group;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Io;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A server group for the time of a run. For one thread. */
public final class ServerGroup implements AutoCloseable {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final TemporaryService service;
  private final Path data;
  private final Optional<GroupLines> lines;

  /** A server as it runs now; its URL is the same as long as the group runs. */
  public record Member(int index, String name, URI url, long serverPid, long databasePid) {}

  /**
   * An assignment.
   *
   * @param entries which were copied
   * @param seconds from the start of the command to its end
   * @param waitedMillis how long writes to the content waited
   */
  public record Moved(long entries, double seconds, long waitedMillis) {}

  private ServerGroup(TemporaryService service, Optional<GroupLines> lines) {
    this.service = service;
    this.data = service.data();
    this.lines = lines;
  }

  /** Starts one on free ports of 127.0.0.1; returns when it serves. */
  public static ServerGroup start(Path launcher, GroupLayout layout) throws InterruptedException {
    Optional<GroupLines> lines =
        layout.lines().isEmpty() ? Optional.empty() : Optional.of(GroupLines.open(layout.lines()));
    List<String> options =
        new ArrayList<>(
            List.of("--replicas=" + layout.replicas(), "--engine=" + layout.engine(),
                "--topology=" + layout.topology()));
    options.addAll(lines.map(GroupLines::options).orElse(List.of("--port=0")));
    try {
      TemporaryService service =
          TemporaryService.start(launcher, options,
              data -> layout.faultyDisks() ? new FaultyDisks(data).install() : Map.of());
      return new ServerGroup(service, lines);
    } catch (RnsException | InterruptedException e) {
      lines.ifPresent(GroupLines::close);
      throw e;
    }
  }

  /**
   * Starts a tree over groups of one server each, with databases of their own; returns when it serves.
   *
   * @param environment variables for its processes
   */
  public static ServerGroup divided(Path launcher, int groups, Map<String, String> environment)
      throws InterruptedException {
    return new ServerGroup(
        TemporaryService.start(launcher, List.of("--groups=" + groups, "--port=0"), data -> environment),
        Optional.empty());
  }

  /**
   * Assigns a directory to a group; returns when the group serves it.
   *
   * @return what was moved
   */
  public Moved assign(String path, int group) throws InterruptedException {
    long began = System.nanoTime();
    String printed = service.run("partition", "assign", path, "--to=" + group, "--json");
    double seconds = (System.nanoTime() - began) / 1e9;
    JsonNode move = Io.get("'rns partition assign' prints " + printed, () -> MAPPER.readTree(printed)).path("move");
    return new Moved(move.path("copied").asLong(), seconds, move.path("waitedMillis").asLong());
  }

  /** A move of a directory that the service decided on. */
  public record AutomaticMove(String path, Instant at) {}

  /** The moves that the service decided on, the oldest first. */
  public List<AutomaticMove> automaticMoves() throws InterruptedException {
    String printed = service.run("partition", "why", "--last=1", "--json");
    List<AutomaticMove> moves = new ArrayList<>();
    for (JsonNode move : Io.get("'rns partition why' prints " + printed, () -> MAPPER.readTree(printed))
        .path("moves")) {
      if (move.path("by").asText().equals("auto")) {
        moves.addFirst(new AutomaticMove(move.path("path").asText(), Instant.parse(move.path("at").asText())));
      }
    }
    return moves;
  }

  /** The servers with their current processes; the first was the primary at startup. */
  public List<Member> members() {
    Path file = data.resolve("run.json");
    return Io.get(file + " cannot be read", () -> {
      List<Member> members = new ArrayList<>();
      for (var member : MAPPER.readTree(file.toFile()).path("members")) {
        members.add(
            new Member(
                members.size(),
                member.path("name").asText(),
                URI.create(member.path("url").asText()),
                member.path("glassFishPid").asLong(),
                member.path("databasePid").asLong()));
      }
      return members;
    });
  }

  public void cutServer(Member member) {
    lines().toServer(member.index()).cut();
  }

  public void cutDatabase(Member member) {
    lines().toDatabase(member.index()).cut();
  }

  /** Ends both. */
  public void mend(Member member) {
    lines().toServer(member.index()).mend();
    lines().toDatabase(member.index()).mend();
  }

  /** Where the other members reach a server: over its line. */
  public URI overLine(Member member) {
    int port = lines().toServer(member.index()).port();
    return URI.create(member.url().toString().replaceFirst(":" + member.url().getPort() + "/", ":" + port + "/"));
  }

  private GroupLines lines() {
    return lines.orElseThrow(() -> new IllegalStateException("this group has no lines"));
  }

  /** What breaks the disks of a group that was started so. */
  public FaultyDisks disks() {
    return new FaultyDisks(data);
  }

  /** The secret of members and operators of the group. */
  public String secret() {
    Path file = data.resolve("group.secret");
    return Io.get(file + " cannot be read", () -> Files.readString(file).strip());
  }

  /** Copies the logs of its servers and databases to a directory of their own, which stays. */
  public Path keepLogs() {
    return Io.get("the logs in " + data + " cannot be kept", () -> {
      try (Stream<Path> found = Files.walk(data)) {
        Path kept = Files.createTempDirectory("rns-logs-");
        for (Path log : found.filter(path -> path.toString().endsWith(".log")).toList()) {
          Path copy = kept.resolve(data.relativize(log).toString());
          Files.createDirectories(copy.getParent());
          Files.copy(log, copy);
        }
        return kept;
      }
    });
  }

  /** Stops the group and removes its directory; also for an interrupted thread. */
  @Override
  public void close() {
    try {
      service.close();
    } finally {
      lines.ifPresent(GroupLines::close);
    }
  }
}
