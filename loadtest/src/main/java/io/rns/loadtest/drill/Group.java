package io.rns.loadtest.drill;

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

/** A server group in a directory of its own, started and stopped by the launcher. */
final class Group implements AutoCloseable {
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
   * Starts one on free ports; returns when it serves. It can be cut if that is among the faults.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it does not
   */
  static Group start(DrillSettings settings) throws InterruptedException {
    boolean cuttable = settings.faults().stream().anyMatch(Fault::cuts);
    Optional<Wires> wires = cuttable ? Optional.of(Wires.lay(settings.replicas() + 1)) : Optional.empty();
    Path data;
    try {
      data = Files.createTempDirectory("rns-drill-");
    } catch (IOException e) {
      throw new UncheckedIOException("a directory for the group", e);
    }
    Group group = new Group(settings.launcher(), data, wires);
    try {
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  "up",
                  "--replicas=" + settings.replicas(),
                  "--engine=" + settings.engine(),
                  "--topology=" + settings.topology(),
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
      Path said = Files.createTempFile("rns-drill-", ".txt");
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

  /** The servers with the processes that they are now. */
  List<Member> members() {
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

  /** Cuts a server, its database, or both off from the other members. */
  void cut(Fault fault, Member member) {
    int number = members().indexOf(member);
    if (fault != Fault.CUT_OFF_DATABASE) {
      wires().cutServer(number);
    }
    if (fault != Fault.CUT_OFF_SERVER) {
      wires().cutDatabase(number);
    }
  }

  /** Ends {@link #cut}. */
  void mend(Member member) {
    wires().mend(members().indexOf(member));
  }

  private Wires wires() {
    return wires.orElseThrow(() -> new IllegalStateException("this group has no lines that can be cut"));
  }

  /** What members and operators of the group know. */
  String secret() {
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
