package io.rns.front;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Some machines in a subnet of their own: network namespaces of Linux, joined by a bridge. */
final class TestSubnet implements AutoCloseable {
  /** The network interface of each. */
  static final String DEVICE = "eth0";

  private static final String PREFIX = "10.99.0.";

  private final String name = "rns" + ProcessHandle.current().pid();
  private final List<String> namespaces = new ArrayList<>();

  /** Makes machines, whose addresses end in 1, 2 and so on. */
  TestSubnet(int machines) {
    String bridge = add("b");
    ip(bridge, "link", "add", "br0", "type", "bridge");
    ip(bridge, "link", "set", "br0", "up");
    for (int i = 1; i <= machines; i++) {
      String machine = add("m" + i);
      String port = "p" + i;
      ip(machine, "link", "add", DEVICE, "type", "veth", "peer", "name", port, "netns", bridge);
      ip(bridge, "link", "set", port, "master", "br0", "up");
      ip(machine, "link", "set", "lo", "up");
      ip(machine, "link", "set", DEVICE, "up");
      ip(machine, "address", "add", address(i) + "/24", "dev", DEVICE);
    }
  }

  private String add(String machine) {
    String namespace = name + machine;
    if (!run(List.of("ip", "netns", "add", namespace))) {
      throw new IllegalStateException("no network namespace can be made");
    }
    namespaces.add(namespace);
    return namespace;
  }

  private static void ip(String namespace, String... words) {
    List<String> command = new ArrayList<>(List.of("ip", "-n", namespace));
    command.addAll(List.of(words));
    if (!run(command)) {
      throw new IllegalStateException(String.join(" ", command) + " failed");
    }
  }

  private static boolean run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Whether this user may make machines. */
  static boolean isPossible() {
    String probe = "rnsprobe" + ProcessHandle.current().pid();
    return run(List.of("ip", "netns", "add", probe)) && run(List.of("ip", "netns", "delete", probe));
  }

  /** An address in the subnet; that of a machine, or a free one. */
  static String address(int number) {
    return PREFIX + number;
  }

  /** Starts a program of Java on a machine. */
  Process java(int machine, Path log, Class<?> program, List<String> arguments) {
    List<String> command = new ArrayList<>(
        List.of("ip", "netns", "exec", name + "m" + machine,
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms64m", "-Xmx1g", "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
            System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The addresses that a machine has. */
  String addresses(int machine) throws IOException {
    return output(List.of("ip", "-n", name + "m" + machine, "-4", "-o", "address"));
  }

  /** The connections that a machine's kernel has, also those of no program, as {@code /proc/net} shows them. */
  List<String> connections(int machine) throws IOException {
    return output(List.of("ip", "netns", "exec", name + "m" + machine, "cat", "/proc/net/tcp", "/proc/net/tcp6"))
        .lines().toList();
  }

  private static String output(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }

  /** Has a machine know another one's as the hardware address of an address, as if it had missed an announcement. */
  void believe(int machine, String address, int other) throws IOException {
    ip(name + "m" + machine, "neighbor", "replace", address, "lladdr", hardware(other), "dev", DEVICE, "nud",
        "reachable");
  }

  /** What a machine knows as the hardware address of an address. */
  String neighbor(int machine, String address) throws IOException {
    return output(List.of("ip", "-n", name + "m" + machine, "neighbor", "show", address));
  }

  String hardware(int machine) throws IOException {
    String link = output(List.of("ip", "-n", name + "m" + machine, "-o", "link", "show", DEVICE));
    return link.substring(link.indexOf("link/ether ") + 11).split(" ", 2)[0];
  }

  /** Takes an address from a machine, which need not have it. */
  void removeAddress(int machine, String address) {
    boolean unused =
        run(List.of("ip", "-n", name + "m" + machine, "address", "delete", address + "/32", "dev", DEVICE));
  }

  @Override
  public void close() {
    namespaces.forEach(namespace -> run(List.of("ip", "netns", "delete", namespace)));
  }
}
