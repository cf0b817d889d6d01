package io.rns.server.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All that a local service keeps, in one directory that only its owner can enter.
 *
 * @param root the directory, by its real path
 */
record DataDirectory(Path root) {
  private static final int PASSWORD_BYTES = 18;

  /** Opens the directory, making it if there is none. */
  static DataDirectory create(Path path) {
    try {
      FileTrees.createPrivate(path);
      return new DataDirectory(path.toRealPath());
    } catch (IOException e) {
      throw new LocalServiceException("the data directory " + path + " cannot be made: " + e, e);
    }
  }

  /** The directory that is meant when none is named: {@code RNS_DATA}, or {@code ~/.rns}. */
  static Path usual(Map<String, String> environment) {
    return Optional.ofNullable(environment.get("RNS_DATA"))
        .filter(text -> !text.isBlank())
        .map(Path::of)
        .orElseGet(() -> Path.of(System.getProperty("user.home"), ".rns"));
  }

  Path database() {
    return root.resolve("database");
  }

  Path glassFish() {
    return root.resolve("glassfish");
  }

  Path runFile() {
    return root.resolve("run.json");
  }

  Path supervisorLog() {
    return root.resolve("up.log");
  }

  /** The database's password, made at the first call. */
  String password() {
    Path file = root.resolve("database.password");
    try {
      if (!Files.exists(file)) {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        FileTrees.writePrivate(file, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
      }
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new LocalServiceException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Takes the directory for one supervisor; the kernel gives it free when that one ends, however it does.
   *
   * @return empty when another one has it
   */
  Optional<Lock> tryLock() {
    FileChannel channel = null;
    try {
      channel = FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return Optional.of(new Lock(channel));
      }
      channel.close();
      return Optional.empty();
    } catch (OverlappingFileLockException e) {
      // Held by another service of this JVM.
      closeAfter(channel, e);
      return Optional.empty();
    } catch (IOException e) {
      closeAfter(channel, e);
      throw new LocalServiceException("the data directory " + root + " cannot be locked: " + e.getMessage(), e);
    }
  }

  private static void closeAfter(@Nullable FileChannel channel, Exception cause) {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        cause.addSuppressed(e);
      }
    }
  }

  /** The directory taken, until closed. */
  record Lock(FileChannel channel) implements AutoCloseable {
    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new LocalServiceException("the lock of the data directory cannot be given free: " + e.getMessage(), e);
      }
    }
  }
}
