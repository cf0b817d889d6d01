package io.rns.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;

/**
 * The binary log in a data directory of MariaDB: written by members of a replicated set, useless for a single server.
 *
 * @param data the data directory, which no server uses meanwhile
 */
record BinaryLogFiles(Path data) {
  static final String NAME = "binlog";

  /** Above the server ids of all members of a set. */
  private static final int LEAST_ORIGIN = 1 << 16;

  /** Whether there is a log that a server may need to recover. */
  boolean exists() {
    return Files.exists(index());
  }

  /** Deletes all files of a log that a server has finished. If interrupted, either the index or nothing is valid. */
  void delete() throws IOException {
    Files.deleteIfExists(state());
    Files.deleteIfExists(index());
    try (DirectoryStream<Path> files = Files.newDirectoryStream(data, NAME + ".*")) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }

  /**
   * Prepares a first log. Existing tables are in no log, so they count as one transaction with an origin of its own:
   * replicas then copy them, and the database does not pass for an empty one, to be replaced by a copy of another.
   * MariaDB reads the transaction from the file that it otherwise writes at shutdown.
   */
  void begin() throws IOException {
    if (exists() || isWritten(state())) {
      return;
    }
    delete();
    if (hasTables()) {
      long origin = LEAST_ORIGIN + new SecureRandom().nextLong(Integer.MAX_VALUE);
      writeDurably(state(), "0-" + origin + "-1\n");
    }
  }

  private boolean hasTables() throws IOException {
    Path schema = data.resolve("rns");
    if (!Files.isDirectory(schema)) {
      return false;
    }
    try (DirectoryStream<Path> tables = Files.newDirectoryStream(schema, "*.ibd")) {
      return tables.iterator().hasNext();
    }
  }

  private Path index() {
    return data.resolve(NAME + ".index");
  }

  private Path state() {
    return data.resolve(NAME + ".state");
  }

  private static boolean isWritten(Path file) throws IOException {
    return Files.exists(file) && Files.size(file) > 0;
  }

  private static void writeDurably(Path file, String text) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(aside, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        int unused = channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
