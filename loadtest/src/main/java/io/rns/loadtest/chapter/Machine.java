package io.rns.loadtest.chapter;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rns.client.RnsClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What measurements are made on. */
final class Machine {
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
  private static final Path MEMORY = Path.of("/proc/meminfo");
  private static final double KIB_PER_GIB = 1 << 20;

  private Machine() {}

  /** The version of RNS. */
  static String version() {
    String version = RnsClient.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }

  static ObjectNode told() {
    ObjectNode machine = Results.MAPPER.createObjectNode();
    machine.put("cores", Runtime.getRuntime().availableProcessors());
    machine.put("processor", line(PROCESSORS, "model name"));
    String memory = line(MEMORY, "MemTotal").replaceAll("[^0-9]", "");
    if (!memory.isEmpty()) {
      machine.put("memoryGiB", Math.round(Double.parseDouble(memory) / KIB_PER_GIB));
    }
    machine.put("system",
        System.getProperty("os.name") + " " + System.getProperty("os.version") + " " + System.getProperty("os.arch"));
    machine.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    return machine;
  }

  /** What stands behind a name in a file of the system; empty where there is no such file. */
  private static String line(Path file, String name) {
    if (!Files.isReadable(file)) {
      return "";
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines.filter(line -> line.startsWith(name)).findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip()).orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
