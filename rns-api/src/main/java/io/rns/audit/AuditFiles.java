package io.rns.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of an audit log: {@code audit-0000000000000001.jsonl}, by the number of their first line. */
public final class AuditFiles {
  private static final Pattern NAME = Pattern.compile("audit-[0-9]{16}\\.jsonl");

  private AuditFiles() {}

  /** The name of the file that begins with a line. */
  public static String name(long sequence) {
    return String.format("audit-%016d.jsonl", sequence);
  }

  /** The number in the name of a file. */
  public static long first(Path file) {
    return Long.parseLong(String.valueOf(file.getFileName()).substring("audit-".length(), "audit-".length() + 16));
  }

  /** The files in a directory, oldest first. */
  public static List<Path> in(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(file -> NAME.matcher(String.valueOf(file.getFileName())).matches()).sorted().toList();
    }
  }

  /**
   * The directories that have files of audit logs: a directory itself, or those in it, such as those of several
   * servers.
   */
  public static List<Path> logs(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    if (!in(directory).isEmpty()) {
      found.add(directory);
    }
    try (Stream<Path> all = Files.list(directory)) {
      for (Path each : all.filter(Files::isDirectory).sorted().toList()) {
        if (!in(each).isEmpty()) {
          found.add(each);
        }
      }
    }
    return found;
  }
}
