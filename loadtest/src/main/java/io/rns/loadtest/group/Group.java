package io.rns.loadtest.group;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server group in a directory of its own, started and stopped by the launcher. For one thread. */
public final class Group implements AutoCloseable {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final long START_MINUTES = 10;
  private static final long STOP_MINUTES = 3;

  private final Path launcher;
  private final Path data;
  private final Optional<Wires> wires;

  private Group(Path launcher, Path data, Optional<Wires> wires) {
    this.launcher = launcher;
    this.data = data;
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
    Path data;
    try {
      data = Files.createTempDirectory("rns-group-");
    } catch (IOException e) {
      throw new UncheckedIOException("a directory for the group", e);
    }
    Group group = new Group(launcher, data, wires);
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
                  "--data=" + data));
      arguments.addAll(group.wires.map(Wires::options).orElse(List.of("--port=0")));
      group.launch(START_MINUTES, arguments);
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

  private void launch(long mostMinutes, List<String> arguments) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(arguments);
    String what = "'rns " + arguments.getFirst() + "'";
    try {
      Path said = Files.createTempFile("rns-group-", ".txt");
      try {
        Process process =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        try {
          if (!process.waitFor(mostMinutes, TimeUnit.MINUTES)) {
            throw new RnsException(RnsError.UNAVAILABLE, what + " has not ended within " + mostMinutes + " min");
          }
        } finally {
          process.destroy();
        }
        if (process.exitValue() != 0) {
          String text = Files.readString(said).strip();
          throw new RnsException(RnsError.UNAVAILABLE, what + " ended with " + process.exitValue() + ": " + text);
        }
      } finally {
        Files.deleteIfExists(said);
      }
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, what + ": " + e.getMessage(), e);
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

  /** Stops the group and removes its directory; also for an interrupted thread. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    try {
      launch(STOP_MINUTES, List.of("down", "--data=" + data));
      delete(data);
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      wires.ifPresent(Wires::close);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, directory + " cannot be removed: " + e.getMessage(), e);
    }
  }
}
