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
    private final BufferedReader in;
    private final Process process;

    Crowd(String address) throws IOException {
      process = launch(List.of("-Xmx400m", "-XX:+UseSerialGC"), CrowdProgram.class, temporary, Integer.toString(port),
          address);
      in = process.inputReader(StandardCharsets.US_ASCII);
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

  /** They have the connections to the server that one address may have, and others of it wait; not other addresses. */
  @Test
  void clientsThatReadNothingHoldUpNoOtherAddress() throws IOException {
    Crowd others = new Crowd("127.0.0.2");
    assertThat(others.tell("idle 6000")).isEqualTo("done");
    Crowd deaf = new Crowd("127.0.0.1");
    assertThat(deaf.tell("deaf 6000")).isEqualTo("done");
    long longest = 0;
    for (int i = 0; i < 1_000; i++) {
      long millis = Long.parseLong(others.tell("ask"));
      assertThat(millis).as("milliseconds").isPositive().isLessThan(BOUND_MILLIS);
      longest = Math.max(longest, millis);
    }
    assertThat(others.tell("again")).isEqualTo("done");
    System.out.printf("6,000 idle clients, 6,000 that read nothing: peak %d MiB, others wait %d ms at most%n",
        peak() / 1_024, longest);
    assertThat(peak()).isLessThan(MOST_KIB);
  }

  @Test
  void holdsIdleAndActiveClientsInLittleMemory() throws IOException {
    Crowd idle = new Crowd("127.0.0.1");
    assertThat(idle.tell("idle 12000")).isEqualTo("done");
    Crowd active = new Crowd("127.0.0.1");
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
