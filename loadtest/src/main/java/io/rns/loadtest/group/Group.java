package io.rns.loadtest.group;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Launcher;
import io.rns.loadtest.launcher.Scratch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A server group in a directory of its own, started and stopped by the launcher. For one thread. */
public final class Group implements AutoCloseable {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final Duration START = Duration.ofMinutes(10);
  private static final Duration STOP = Duration.ofMinutes(3);

  private final Launcher launcher;
  private final Scratch scratch;
  private final Path data;
  private final Optional<Wires> wires;

  private Group(Launcher launcher, Scratch scratch, Optional<Wires> wires) {
    this.launcher = launcher;
    this.scratch = scratch;
    this.data = scratch.path();
    this.wires = wires;
  }

  /**
   * Starts one on free ports of 127.0.0.1; returns when it serves.
   *
   * @param launcher the program {@code rns} that starts and stops it
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it does not
   */
  public static Group start(Path launcher, Layout layout) throws InterruptedException {
    Optional<Wires> wires = layout.lines().map(Wires::lay);
    Group group = new Group(new Launcher(launcher), Scratch.of("rns-group"), wires);
    try {
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  "up",
                  "--replicas=" + layout.replicas(),
                  "--engine=" + layout.engine(),
                  "--topology=" + layout.topology(),
                  "--detach",
                  "--json",
                  "--data=" + group.data));
      arguments.addAll(group.wires.map(Wires::options).orElse(List.of("--port=0")));
      group.launch(START, arguments);
      return group;
    } catch (RnsException | InterruptedException e) {
      group.closeAfter(e);
      throw e;
    }
  }

  private void closeAfter(Exception first) {
    try {
      close();
    } catch (RnsException second) {
      first.addSuppressed(second);
    }
  }

  private void launch(Duration most, List<String> arguments) throws InterruptedException {
    Launcher.Ended ended = launcher.run(arguments, Map.of(), most);
    if (ended.code() != 0) {
      throw new RnsException(
          RnsError.UNAVAILABLE,
          "'rns " + arguments.getFirst() + "' ended with " + ended.code() + ": " + (ended.out() + ended.err()).strip());
    }
  }

  /** The servers with the processes that they are now; the first one has been the primary at the beginning. */
  public List<Member> members() {
    Path file = data.resolve("run.json");
    try {
      List<Member> members = new ArrayList<>();
      for (JsonNode member : MAPPER.readTree(file.toFile()).path("members")) {
        members.add(
            new Member(
                member.path("name").asText(),
                URI.create(member.path("url").asText()),
                member.path("glassFishPid").asLong(),
                member.path("databasePid").asLong()));
      }
      return members;
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Cuts a server off from the other members. */
  public void cutServer(Member member) {
    wires().cutServer(members().indexOf(member));
  }

  /** Cuts a database off from the other members. */
  public void cutDatabase(Member member) {
    wires().cutDatabase(members().indexOf(member));
  }

  /** Ends both. */
  public void mend(Member member) {
    wires().mend(members().indexOf(member));
  }

  /** Where the other members reach a server: over its line. */
  public URI overLine(Member member) {
    int port = wires().serverPort(members().indexOf(member));
    return URI.create(member.url().toString().replaceFirst(":" + member.url().getPort() + "/", ":" + port + "/"));
  }

  private Wires wires() {
    return wires.orElseThrow(() -> new IllegalStateException("this group has no lines"));
  }

  /** What members and operators of the group know. */
  public String secret() {
    Path file = data.resolve("group.secret");
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Copies the logs of its servers and databases to a directory of their own, which stays.
   *
   * @return that directory
   * @throws RnsException {@link RnsError#UNAVAILABLE} if they cannot be copied
   */
  public Path keepLogs() {
    try (Stream<Path> found = Files.walk(data)) {
      Path kept = Files.createTempDirectory("rns-logs-");
      for (Path log : found.filter(path -> path.toString().endsWith(".log")).toList()) {
        Path copy = kept.resolve(data.relativize(log).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(log, copy);
      }
      return kept;
    } catch (IOException | UncheckedIOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "the logs in " + data + " cannot be kept: " + e.getMessage(), e);
    }
  }

  /** Stops the group and removes its directory; also for an interrupted thread. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    try {
      launch(STOP, List.of("down", "--data=" + data));
      scratch.close();
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      wires.ifPresent(Wires::close);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
