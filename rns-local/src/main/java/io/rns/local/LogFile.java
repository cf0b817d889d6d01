package io.rns.local;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The log file of a process, from its position at the start of this run. */
final class LogFile {
  private static final long ROTATION_BYTES = 16L << 20;
  private static final int LARGEST_READ_BYTES = 256 << 10;

  private final Path path;
  private final long start;

  private LogFile(Path path, long start) {
    this.path = path;
    this.start = start;
  }

  /** Opens a log before its process starts; a large one is renamed to {@code NAME.1}. */
  static LogFile open(Path path) {
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      long size = Files.exists(path) ? Files.size(path) : 0;
      if (size > ROTATION_BYTES) {
        Files.move(path, path.resolveSibling(path.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
        size = 0;
      }
      return new LogFile(path, size);
    } catch (IOException e) {
      throw new LocalServiceException("cannot write the log " + path + ": " + e.getMessage(), e);
    }
  }

  Path path() {
    return path;
  }

  /** Whether the last 256 KiB of this run contain {@code text}. */
  boolean contains(String text) {
    return recent().contains(text);
  }

  /** Whether this run has logged nothing yet. */
  boolean isEmpty() {
    return recent().isBlank();
  }

  /** The lines of this run, within the last 256 KiB. */
  List<String> lines() {
    return recent().lines().toList();
  }

  /** The last lines of this run, indented, under a heading that names the file. */
  String tail(int lines) {
    List<String> all = recent().lines().filter(line -> !line.isBlank()).toList();
    StringBuilder text = new StringBuilder("\nEnd of ").append(path).append(':');
    all.subList(Math.max(0, all.size() - lines), all.size()).forEach(line -> text.append("\n  ").append(line));
    return text.toString();
  }

  private String recent() {
    if (!Files.exists(path)) {
      return "";
    }
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      // Shorter than at the start: the process has truncated it.
      long from = file.length() < start ? 0 : start;
      from = Math.max(from, file.length() - LARGEST_READ_BYTES);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "(" + path + " cannot be read: " + e.getMessage() + ")";
    }
  }
}
