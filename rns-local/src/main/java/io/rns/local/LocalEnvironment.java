package io.rns.local;

import java.nio.file.Path;
import java.util.Map;

/** All environment variables and system properties that the local service reads. */
final class LocalEnvironment {
  private LocalEnvironment() {}

  /** The environment variables of this process. */
  static Map<String, String> variables() {
    return System.getenv();
  }

  static Path home() {
    return Path.of(property("user.home"));
  }

  static boolean isRoot() {
    return property("user.name").equals("root");
  }

  /** The program of the JVM that runs this. */
  static String java() {
    return Path.of(property("java.home"), "bin", "java").toString();
  }

  static String classPath() {
    return property("java.class.path");
  }

  /** The operating system, such as {@code Linux}. */
  static String system() {
    return property("os.name");
  }

  /** The processor, such as {@code amd64}. */
  static String machine() {
    return property("os.arch");
  }

  private static String property(String name) {
    return System.getProperty(name);
  }
}
