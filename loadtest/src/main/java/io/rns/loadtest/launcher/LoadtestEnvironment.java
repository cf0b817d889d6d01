package io.rns.loadtest.launcher;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What commands of the load test read from the environment and from the properties of the JVM. */
public final class LoadtestEnvironment {
  private LoadtestEnvironment() {}

  /** The launcher that started this process. */
  public static Optional<Path> launcher() {
    return Optional.ofNullable(System.getProperty("rns.launcher")).map(Path::of);
  }

  /** The environment variables. */
  public static Map<String, String> variables() {
    return System.getenv();
  }

  /** The default data directory of a service: {@code RNS_DATA}, or {@code ~/.rns}. */
  public static Path data() {
    return dataOf(System.getenv());
  }

  static Path dataOf(Map<String, String> variables) {
    String given = variables.getOrDefault("RNS_DATA", "");
    return given.isBlank() ? Path.of(System.getProperty("user.home"), ".rns") : Path.of(given);
  }

  /** Whether the terminal, if there is one, cannot overwrite a line. */
  public static boolean hasDumbTerminal() {
    return "dumb".equals(System.getenv("TERM"));
  }

  static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** The program {@code java} of this JVM. */
  public static String java() {
    return tool("java");
  }

  /** A program of the JDK that runs this. */
  public static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  public static String classPath() {
    return System.getProperty("java.class.path");
  }

  /** Name, version and architecture of the operating system. */
  public static String system() {
    return String.join(" ",
        List.of(System.getProperty("os.name"), System.getProperty("os.version"), System.getProperty("os.arch")));
  }

  public static String virtualMachine() {
    return System.getProperty("java.vm.name") + " " + Runtime.version();
  }
}
