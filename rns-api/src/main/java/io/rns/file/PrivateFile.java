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
import java.util.concurrent.ConcurrentHashMap;
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

  /** What this process has locked: even trying a second time, on a channel that is closed then, would unlock it. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

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
    put(text, Optional.empty(), false).close();
  }

  /** Returns a channel to the new file, which nobody else can have locked if it is to be locked. */
  private FileChannel put(String text, Optional<PosixFileAttributes> former, boolean locked) throws IOException {
    Path absolute = path.toAbsolutePath();
    Path part =
        Files.createTempFile(
            absolute.getParent(), absolute.getFileName() + ".", ".part", PosixFilePermissions.asFileAttribute(OWNER));
    // Also after Ctrl-C.
    part.toFile().deleteOnExit();
    FileChannel channel = null;
    try {
      channel = FileChannel.open(part, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (locked) {
        FileLock unused = channel.lock();
      }
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
      while (bytes.hasRemaining()) {
        int unused = channel.write(bytes);
      }
      channel.force(true);
      if (former.isPresent()) {
        keep(former.get(), part);
      }
      Path unused = Files.move(part, absolute, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      FileChannel open = channel;
      channel = null;
      return open;
    } finally {
      if (channel != null) {
        channel.close();
      }
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
   * Locks it against others that take this lock, in other processes too. Who has the lock reads and replaces the file
   * through it.
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
    Path name = path.toAbsolutePath().normalize();
    if (!HELD.add(name)) {
      return Optional.empty();
    }
    Optional<Lock> taken = Optional.empty();
    FileChannel channel = null;
    try {
      Object before = key();
      channel =
          FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      FileLock lock = channel.tryLock();
      // A file that was replaced meanwhile has a lock of its own.
      if (lock != null && Objects.equals(before, key())) {
        taken = Optional.of(new Lock(this, name, channel));
      }
      return taken;
    } catch (OverlappingFileLockException e) {
      // Held in this process, by another name.
      return taken;
    } finally {
      if (taken.isEmpty()) {
        if (channel != null) {
          channel.close();
        }
        HELD.remove(name);
      }
    }
  }

  private Object key() throws IOException {
    return String.valueOf(
        Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey());
  }

  /** A lock that is held; the kernel releases it when the process ends. Not for several threads. */
  public static final class Lock implements AutoCloseable {
    private final PrivateFile file;
    private final Path name;
    private FileChannel channel;

    private Lock(PrivateFile file, Path name, FileChannel channel) {
      this.file = file;
      this.name = name;
      this.channel = channel;
    }

    /**
     * What the file has. Read in another way, it would be unlocked: a process loses its locks on a file when it closes
     * any channel to it.
     *
     * @throws IOException if it cannot be read, is no UTF-8, or has more bytes than that
     */
    public String read(int mostBytes) throws IOException {
      long size = channel.size();
      if (size > mostBytes) {
        throw new IOException("file '" + file.path + "' has " + size + " bytes; allowed are " + mostBytes);
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) size);
      while (bytes.hasRemaining() && channel.read(bytes, bytes.position()) >= 0) {
        // More of it.
      }
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    }

    /**
     * As {@link PrivateFile#write}; what is there afterwards is locked as well.
     *
     * @throws IOException as there
     */
    public void write(String text) throws IOException {
      pass(file.put(text, Optional.empty(), true));
    }

    /**
     * As {@link #write}, but owner, group and permissions stay, except that other users lose theirs.
     *
     * @throws IOException if it cannot be written, or its owner cannot be kept: what was there is unchanged then
     */
    public void replace(String text) throws IOException {
      PosixFileAttributes present =
          Files.readAttributes(file.path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      pass(file.put(text, Optional.of(present), true));
    }

    private void pass(FileChannel next) throws IOException {
      FileChannel former = channel;
      channel = next;
      former.close();
    }

    @Override
    public void close() throws IOException {
      try {
        channel.close();
      } finally {
        HELD.remove(name);
      }
    }
  }
}
