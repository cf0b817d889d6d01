package io.rns.front;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A front with the memory that {@code ./rns up} gives it, and as many clients as it is made for. */
@Tag("slow")
@Tag("long")
@Timeout(600)
class FrontCapacityTest {
  private static final long MOST_KIB = 512 * 1_024;
  private static final long BOUND_MILLIS = 10_000;
  private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+([0-9]+) kB");

  @TempDir private Path temporary;
  private final List<Process> processes = new ArrayList<>();
  private EchoServer server;
  private Process front;
  private int port;

  @BeforeEach
  void start() throws IOException {
    server = new EchoServer();
    server.remembers = false;
    Path log = temporary.resolve("log");
    front = launch(List.of("-Xms64m", "-Xmx192m", "-XX:MaxDirectMemorySize=256m", "-XX:+UseSerialGC",
        "-XX:MetaspaceSize=64m", "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED",
        "-Dio.netty.leakDetection.level=disabled"), FrontProgram.class, log, "--port=0", "--server=" + server.url(),
        "--admin=" + temporary.resolve("admin"), "--connections=15100", "--threads=2");
    Waiting.until(() -> !front.isAlive() || read(log).contains("front ready at "));
    String said = read(log);
    assertThat(said).contains("front ready at ");
    port = URI.create(said.substring(said.indexOf("front ready at ") + 15).lines().findFirst().orElseThrow()).getPort();
  }

  private Process launch(List<String> options, Class<?> program, Path log, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Process process = program == FrontProgram.class ? builder.redirectOutput(log.toFile()).start() : builder.start();
    processes.add(process);
    return process;
  }

  @AfterEach
  void stop() {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
    server.close();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }

  /** Many clients. */
  private final class Crowd {
    private final Process process =
        launch(List.of("-Xmx400m", "-XX:+UseSerialGC"), CrowdProgram.class, temporary, Integer.toString(port));
    private final BufferedReader in = process.inputReader(StandardCharsets.US_ASCII);

    Crowd() throws IOException {
      assertThat(in.readLine()).isEqualTo("crowd ready");
    }

    String tell(String command) throws IOException {
      process.outputWriter().write(command + "\n");
      process.outputWriter().flush();
      return String.valueOf(in.readLine());
    }
  }

  /** The most memory that the front has had, in KiB. */
  private long peak() {
    Matcher matcher = PEAK.matcher(read(Path.of("/proc/" + front.pid() + "/status")));
    assertThat(front.isAlive() && matcher.find()).as("the front runs: %s", read(temporary.resolve("log"))).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  /**
   * They take all connections to the server, and more wait for these than are freed in 20 s: others get 503 until those
   * have been refused or disconnected.
   */
  @Test
  void clientsThatReadNothingHoldOthersUpForAShortTime() throws IOException {
    Crowd idle = new Crowd();
    assertThat(idle.tell("idle 6000")).isEqualTo("done");
    Crowd deaf = new Crowd();
    Crowd good = new Crowd();
    long begun = System.nanoTime();
    assertThat(deaf.tell("deaf 6000")).isEqualTo("done");
    long refused = 0;
    long longest = 0;
    long healed = begun;
    for (int right = 0; right < 100;) {
      long millis = Long.parseLong(good.tell("ask"));
      right = millis < 0 || millis >= BOUND_MILLIS ? 0 : right + 1;
      refused += millis < 0 ? 1 : 0;
      longest = Math.max(longest, Math.abs(millis));
      healed = right > 0 ? healed : System.nanoTime();
      assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun)).as("seconds").isLessThan(240);
    }
    assertThat(idle.tell("again")).isEqualTo("done");
    System.out.printf("6,000 idle clients, 6,000 that read nothing: peak %d MiB, others right in time after %d s, %d of"
        + " their requests refused before, longest %d ms%n", peak() / 1_024,
        TimeUnit.NANOSECONDS.toSeconds(healed - begun), refused, longest);
    assertThat(peak()).isLessThan(MOST_KIB);
  }

  @Test
  void holdsIdleAndActiveClientsInLittleMemory() throws IOException {
    Crowd idle = new Crowd();
    assertThat(idle.tell("idle 12000")).isEqualTo("done");
    Crowd active = new Crowd();
    assertThat(active.tell("work 3000")).isEqualTo("done");
    long wanted = server.handled.sum() + 60_000;
    Waiting.until(() -> server.handled.sum() >= wanted);
    String responses = active.tell("rest");
    System.out.printf("12,000 idle and 3,000 active clients: peak %d MiB, responses and wrong ones: %s%n",
        peak() / 1_024, responses);
    assertThat(responses).endsWith(" 0");
    assertThat(peak()).isLessThan(MOST_KIB);
  }
}
