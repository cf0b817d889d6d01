package io.rns.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file that is put aside when it is full, with a bounded number of those before it. It is locked, since two processes
 * that put the same file aside would lose what the other writes. After a failure it is opened anew, so that it goes on
 * when the reason is gone.
 *
 * <p> Not the file handler of java.util.logging or logback: both rotate after the limit is passed and hide failures, so
 * that lost lines could not be counted; neither takes back half a line.
 */
final class RotatedFile implements LineFile {
  private final LineLogSettings settings;
  private final byte[] head;
  private @Nullable FileChannel channel;
  private long size;

  private RotatedFile(LineLogSettings settings, String[] head) {
    this.settings = settings;
    this.head = (String.join("\n", head) + "\n").getBytes(UTF_8);
  }

  /**
   * Opens the file, which may be there already.
   *
   * @param head the first lines of each file, at least one
   * @throws IOException if it cannot be written, or another process writes it
   */
  static RotatedFile open(LineLogSettings settings, String... head) throws IOException {
    RotatedFile file = new RotatedFile(settings, head);
    file.channel = file.opened();
    return file;
  }

  private FileChannel opened() throws IOException {
    Path directory = settings.file().toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      throw new IOException("there is no directory " + directory);
    }
    FileChannel fresh =
        FileChannel.open(settings.file(), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      lock(fresh);
      size = fresh.size();
      fresh.position(size);
      return fresh;
    } catch (IOException | RuntimeException e) {
      fresh.close();
      throw e;
    }
  }

  private void lock(FileChannel fresh) throws IOException {
    FileLock lock;
    try {
      lock = fresh.tryLock();
    } catch (OverlappingFileLockException e) {
      throw new IOException(inUse(), e);
    }
    if (lock == null) {
      throw new IOException(inUse());
    }
  }

  private String inUse() {
    return "another server writes " + settings.file();
  }

  @Override
  public void append(ByteBuffer lines) throws IOException {
    FileChannel current = channel;
    try {
      if (current == null) {
        current = opened();
        channel = current;
      }
      if (size > head.length && size + lines.remaining() > settings.bytes()) {
        current = rotated(current);
      }
      begin(current);
      write(current, lines);
    } catch (IOException e) {
      abandon(e);
      throw e;
    }
  }

  /**
   * Makes sure that the file has its head, and that what comes begins a line: a server that was killed may have left
   * half of one.
   */
  private void begin(FileChannel current) throws IOException {
    if (size == 0) {
      write(current, ByteBuffer.wrap(head));
      return;
    }
    ByteBuffer last = ByteBuffer.allocate(1);
    if (current.read(last, size - 1) == 1 && last.get(0) != '\n') {
      write(current, ByteBuffer.wrap(new byte[]{'\n'}));
    }
  }

  private void write(FileChannel current, ByteBuffer bytes) throws IOException {
    long written = bytes.remaining();
    try {
      while (bytes.hasRemaining()) {
        current.write(bytes);
      }
      size += written;
    } catch (IOException e) {
      truncate(current, e);
      throw e;
    }
  }

  /** Takes back the part that was written. */
  private void truncate(FileChannel current, IOException why) {
    try {
      current.truncate(size);
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  private FileChannel rotated(FileChannel full) throws IOException {
    channel = null;
    full.close();
    for (int number = settings.files() - 1; number > 0; number--) {
      Path younger = number == 1 ? settings.file() : numbered(number - 1);
      if (Files.exists(younger)) {
        Files.move(younger, numbered(number), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (settings.files() == 1) {
      Files.deleteIfExists(settings.file());
    }
    FileChannel fresh = opened();
    channel = fresh;
    return fresh;
  }

  private Path numbered(int number) {
    return settings.file().resolveSibling(settings.file().getFileName() + "." + number);
  }

  private void abandon(IOException why) {
    try {
      close();
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  @Override
  public void close() throws IOException {
    FileChannel current = channel;
    channel = null;
    if (current != null) {
      current.close();
    }
  }
}
