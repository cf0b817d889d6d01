package io.rns.association;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two registrars on two hosts: network namespaces, connected by a pair of virtual interfaces. Needs the right to make
 * these.
 */
@Tag("slow")
@Timeout(120)
class MulticastNetworkTest {
  private static final String NAME = "rns" + ProcessHandle.current().pid();
  private final List<Process> programs = new ArrayList<>();

  /** Runs a command; what it says if it fails. */
  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue() == 0 ? "" : String.join(" ", command) + ": " + said;
  }

  private static String ip(String arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments.split(" ")));
    return run(command.toArray(String[]::new));
  }

  @AfterEach
  void remove() throws Exception {
    for (Process program : programs) {
      program.destroyForcibly().waitFor();
    }
    for (String side : List.of("a", "b")) {
      // Its interfaces go with it.
      String unused = ip("netns del " + NAME + side);
    }
  }

  private static String make() throws InterruptedException {
    try {
      StringBuilder failed = new StringBuilder();
      failed.append(ip("netns add " + NAME + "a")).append(ip("netns add " + NAME + "b"))
          .append(ip("link add va netns " + NAME + "a type veth peer name vb netns " + NAME + "b"));
      for (String side : List.of("a", "b")) {
        int number = side.equals("a") ? 1 : 2;
        failed.append(ip("-n " + NAME + side + " addr add 10.77.0." + number + "/24 dev v" + side))
            .append(ip("-n " + NAME + side + " addr add fd77::" + number + "/64 dev v" + side + " nodad"))
            .append(ip("-n " + NAME + side + " link set v" + side + " up"));
      }
      return failed.toString();
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private BufferedReader start(String side, String address, String group) throws IOException {
    Process program =
        new ProcessBuilder(
            "ip", "netns", "exec", NAME + side, System.getProperty("java.home") + "/bin/java",
            "-XX:TieredStopAtLevel=1",
            "-cp", System.getProperty("java.class.path"), AnnouncingProgram.class.getName(), address,
            group + "%v" + side)
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    programs.add(program);
    return program.inputReader(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({"10.77.0.1, 10.77.0.2, 239.0.0.50", "fd77::1, fd77::2, ff05::133"})
  void registrarsOfTwoHostsFindEachOther(String first, String second, String group) throws Exception {
    String failed = make();
    assumeTrue(failed.isEmpty(), () -> "no network namespaces here: " + failed);
    BufferedReader one = start("a", first, group);
    assertThat(one.readLine()).isEqualTo("registrars 1");
    BufferedReader other = start("b", second, group);
    assertThat(one.readLine()).isEqualTo("registrars 2");
    assertThat(other.readLine()).isEqualTo("registrars 2");
  }
}
