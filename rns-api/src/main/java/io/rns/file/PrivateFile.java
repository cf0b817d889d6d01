package io.rns.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * A file with secrets. It is replaced as a whole, so that no reader sees half of it, and never reached through a
 * symbolic link, so that nobody else decides where it is. Immutable.
 *
 * @param path where it is; its directory exists
 */
public record PrivateFile(Path path) {
  private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OTHERS =
      Set.of(
          PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_EXECUTE);
  private static final Duration PAUSE = Duration.ofMillis(20);

  /** The user of this process by its number; empty where users have none. */
  public static Optional<Integer> user() {
    return owner(Path.of("/proc/self"));
  }

  private static Optional<Integer> owner(Path path, LinkOption... links) {
    try {
      return Optional.of((Integer) Files.getAttribute(path, "unix:uid", links));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Whether it is a readable file of this user itself, not a link: in {@code /tmp} anybody can put one of any name. */
  public boolean isOwn() {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && Files.isReadable(path)
        && user().isPresent() && owner(path, LinkOption.NOFOLLOW_LINKS).equals(user());
  }

  /**
   * Creates it, or replaces whatever has its name: readable by its owner only, on disk before it is seen.
   *
   * @throws IOException if it cannot be written, as when another user has a file of this name in {@code /tmp}: what was
   *         there is unchanged then
   */
  public void write(String text) throws IOException {
    put(text, Optional.empty());
  }

  /**
   * Replaces it, or creates it readable by its owner only. Owner, group and permissions of the present file stay, but
   * other users lose theirs.
   *
   * @throws IOException if it cannot be written, or its owner cannot be kept: what was there is unchanged then
   */
  public void replace(String text) throws IOException {
    Optional<PosixFileAttributes> present = Optional.empty();
    try {
      present = Optional.of(Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    } catch (NoSuchFileException e) {
      // Created.
    }
    put(text, present);
  }

  private void put(String text, Optional<PosixFileAttributes> former) throws IOException {
    Path absolute = path.toAbsolutePath();
    Path part =
        Files.createTempFile(
            absolute.getParent(), absolute.getFileName() + ".", ".part", PosixFilePermissions.asFileAttribute(OWNER));
    // Also after Ctrl-C.
    part.toFile().deleteOnExit();
    try {
      try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
          int unused = channel.write(bytes);
        }
        channel.force(true);
      }
      if (former.isPresent()) {
        keep(former.get(), part);
      }
      Path unused = Files.move(part, absolute, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      boolean unused = Files.deleteIfExists(part);
    }
  }

  private static void keep(PosixFileAttributes former, Path part) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(part, PosixFileAttributeView.class);
    PosixFileAttributes now = view.readAttributes();
    if (!now.owner().equals(former.owner())) {
      view.setOwner(former.owner());
    }
    if (!now.group().equals(former.group())) {
      view.setGroup(former.group());
    }
    Set<PosixFilePermission> permissions = new HashSet<>(former.permissions());
    permissions.removeAll(OTHERS);
    view.setPermissions(permissions);
  }

  /** Creates it empty, readable by its owner only, unless something has its name. */
  public void createIfAbsent() throws IOException {
    FileAttribute<Set<PosixFilePermission>> owner = PosixFilePermissions.asFileAttribute(OWNER);
    try {
      Path unused = Files.createFile(path, owner);
    } catch (FileAlreadyExistsException e) {
      // As wanted.
    }
  }

  /**
   * Locks it against others that take this lock, in other processes too; also while {@link #write} and {@link #replace}
   * put another file into its place.
   *
   * @param bound how long to wait, in steps of 20 ms
   * @return empty if another one has it all the time
   * @throws IOException if there is no such file, or it is a link
   */
  public Optional<Lock> lock(Duration bound) throws IOException {
    long pauses = bound.dividedBy(PAUSE);
    for (long i = 0;; i++) {
      Optional<Lock> lock = tryLock();
      if (lock.isPresent() || i >= pauses) {
        return lock;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private Optional<Lock> tryLock() throws IOException {
    Object before = key();
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try {
      FileLock lock = channel.tryLock();
      // A file that was replaced meanwhile has a lock of its own.
      if (lock != null && Objects.equals(before, key())) {
        FileChannel held = channel;
        channel = null;
        return Optional.of(new Lock(held));
      }
      return Optional.empty();
    } catch (OverlappingFileLockException e) {
      // Held in this process.
      return Optional.empty();
    } finally {
      if (channel != null) {
        channel.close();
      }
    }
  }

  private Object key() throws IOException {
    return String.valueOf(
        Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey());
  }

  /** A lock that is held; the kernel releases it when the process ends. */
  public record Lock(FileChannel channel) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
