package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as the launcher runs them: an installation of its own, whose WAR answers without a database. */
@Tag("slow")
class UpDownIT {
  private static final long BOUND_SECONDS = 300;

  @TempDir Path temporary;

  private final List<Process> processes = new ArrayList<>();
  private Path staged;
  private Path glassFish;
  private Path data;

  @BeforeEach
  void install() throws IOException {
    data = temporary.resolve("data");
    staged = LocalInstallation.find().staged().toAbsolutePath();
    // A copy: Java asks where a link leads to, and would find the WAR there.
    Path lib = Files.createDirectories(temporary.resolve("rns-local/target/local/lib"));
    Files.copy(staged.resolve("lib/rns-local.jar"), lib.resolve("rns-local.jar"));
    glassFish =
        Files.createSymbolicLink(temporary.resolve("rns-local/target/local/glassfish8"), staged.resolve("glassfish8"));
    TestWar.write(Files.createDirectories(temporary.resolve("rns-server/target")).resolve("rns.war"), "hello");
  }

  @AfterEach
  void leaveNothing() throws Exception {
    run(Down.class);
    processes.forEach(process -> process.destroyForcibly().onExit().join());
    Files.delete(glassFish);
  }

  @Test
  void runsInTheForegroundUntilItIsTerminated() throws Exception {
    Process bystander = started(new ProcessBuilder("sleep", "600.5"));
    Path output = temporary.resolve("up.out");
    Process up = up(output);
    Eventually.holds("ready", () -> content(output).contains("RNS ready at "));
    RunState state = state();
    assertThat(content(output).lines())
        .contains("RNS ready at " + state.url())
        .filteredOn(line -> line.startsWith("  ./rns "))
        .hasSize(3)
        .allMatch(line -> line.endsWith(" --server " + state.url()));

    ProcessHandle.of(process(state, "the database").pid()).orElseThrow().destroyForcibly();
    Eventually.holds("the database is back", () -> content(output).contains("the database is back"));

    RunState last = state();
    up.destroy();
    assertThat(up.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
    List<String> lines = content(output).lines().toList();
    assertThat(lines.subList(lines.size() - 2, lines.size()))
        .allMatch(line -> line.matches("\\d{4}-\\d\\d-\\d\\dT[\\d:]{8}Z .*"));
    assertThat(lines).extracting(line -> line.replaceFirst("^\\S+Z ", "")).endsWith("stopping GlassFish",
        "stopping the database");
    assertThat(last.processes()).noneMatch(ProcessIdentity::isAlive);
    assertThat(data.resolve("run.json")).doesNotExist();
    assertThat(bystander.isAlive()).isTrue();
  }

  @Test
  void runsDetachedUntilItIsTakenDown() throws Exception {
    Result up = run(Up.class, "--port=0", "--heap=256m", "--detach", "--json");
    assertThat(up.code()).as(up.output()).isZero();
    RunState state = state();
    assertThat(up.output()).contains("\"ready\" : true", "\"url\" : \"" + state.url() + "\"");
    assertThat(state.processes()).hasSize(3).allMatch(ProcessIdentity::isAlive);

    Result second = run(Up.class, "--port=0");
    assertThat(second.code()).isEqualTo(1);
    assertThat(second.output()).contains("already", state.url());
    assertThat(state.processes()).allMatch(ProcessIdentity::isAlive);
    Path log = data.resolve("up.log");
    String logged = content(log);
    Result third = run(Up.class, "--port=0", "--detach");
    assertThat(third.code()).isEqualTo(1);
    assertThat(third.output().strip())
        .isEqualTo(
            "rns up: a service is already running on " + data.toRealPath() + " (process "
                + process(state, "supervisor").pid()
                + ", " + state.url()
                + "); stop it with: ./rns down --data " + data.toRealPath());
    assertThat(content(log)).isEqualTo(logged);
    assertThat(state()).isEqualTo(state);
    assertThat(state.processes()).allMatch(ProcessIdentity::isAlive);

    Result down = run(Down.class);
    assertThat(down.code()).isZero();
    assertThat(down.output()).contains("supervisor", "GlassFish", "the database");
    assertThat(state.processes()).noneMatch(ProcessIdentity::isAlive);
  }

  @Test
  @Tag("long")
  void cleansUpAfterARunThatWasKilled() throws Exception {
    Path output = temporary.resolve("up.out");
    Process first = up(output);
    Eventually.holds("ready", () -> content(output).contains("RNS ready at "));
    RunState left = state();
    first.destroyForcibly().onExit().join();
    assertThat(left.processes()).filteredOn(ProcessIdentity::isAlive).hasSize(2);

    Path outputAgain = temporary.resolve("again.out");
    Process again = up(outputAgain);
    Eventually.holds("ready", () -> content(outputAgain).contains("RNS ready at "));
    assertThat(content(outputAgain)).contains("stopped processes left by a previous run: GlassFish, the database");
    assertThat(left.processes()).noneMatch(ProcessIdentity::isAlive);

    RunState leftAgain = state();
    again.destroyForcibly().onExit().join();
    assertThat(run(Down.class).output()).contains("stopped GlassFish, the database");
    assertThat(leftAgain.processes()).noneMatch(ProcessIdentity::isAlive);
  }

  private record Result(int code, String output) {}

  private Process up(Path output) throws IOException {
    return started(
        command(Up.class, "--port=0", "--heap=256m").redirectErrorStream(true).redirectOutput(output.toFile()));
  }

  private Result run(Class<?> command, String... arguments) throws Exception {
    Path output = Files.createTempFile(temporary, "run", ".out");
    Process process = started(command(command, arguments).redirectErrorStream(true).redirectOutput(output.toFile()));
    assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
    return new Result(process.exitValue(), content(output));
  }

  private Process started(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private ProcessBuilder command(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(LocalEnvironment.java(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    // Its own classes first: where they are is where it looks for the rest.
    String classes = temporary.resolve("rns-local/target/local/lib/rns-local.jar").toString();
    command.addAll(List.of("-cp", classes + ":" + staged.resolve("lib") + "/*", main.getName()));
    command.add("--data=" + data);
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  private RunState state() {
    return RunState.read(data.resolve("run.json")).orElseThrow();
  }

  private static ProcessIdentity process(RunState state, String name) {
    return state.processes().stream().filter(process -> process.name().equals(name)).findFirst().orElseThrow();
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(file + " cannot be read", e);
    }
  }
}
