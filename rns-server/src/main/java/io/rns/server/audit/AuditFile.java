package io.rns.server.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.rns.audit.AuditChain;
import io.rns.audit.AuditFiles;
import io.rns.audit.AuditHead;
import io.rns.audit.AuditLine;
import io.rns.audit.AuditLines;
import io.rns.audit.AuditVerification;
import io.rns.operator.OperatorKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files of an audit log: lines are added to a buffer and written together; a full file is followed by another one,
 * and the oldest are removed. What a file begins with follows the one before, so that the chain is verified also when
 * that is removed. A lock keeps other processes out. For one thread.
 *
 * <p>Not the rolling file of a logging library: the number and the hash of a line depend on the one before, also where
 * that is in another file or could not be written, and libraries neither report failures nor take back half a line.
 */
final class AuditFile implements AutoCloseable {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .build()
          .disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT)
          .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM)
          .setCharacterEscapes(new Escapes())
          .setRootValueSeparator(null);
  private static final int BUFFER_BYTES = 1 << 18;
  private static final String LOCK = "audit.lock";

  private final AuditSettings settings;
  private final AuditChain chain;
  private final InstantSource clock;
  private final FileChannel lock;
  private final LineBuffer buffer = new LineBuffer();
  private JsonGenerator json;
  /** The last line that is in a file. */
  private AuditHead written = AuditHead.NONE;
  /** The last line, which may be in the buffer. */
  private AuditHead head = AuditHead.NONE;
  private @Nullable FileChannel channel;
  private long size;
  private boolean isDirty;
  /** Whether the file has a line besides the first one. */
  private boolean hasLines = true;
  /** Contents in the buffer, and those that are in files since {@link #begin}. */
  private int buffered;
  private int flushed;

  /** No control characters at all, not even the last one of ASCII. */
  private static final class Escapes extends CharacterEscapes {
    private static final long serialVersionUID = 1L;
    private static final int DELETE = 127;

    private final int[] codes = CharacterEscapes.standardAsciiEscapesForJSON();

    Escapes() {
      codes[DELETE] = CharacterEscapes.ESCAPE_STANDARD;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return codes;
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
      return null;
    }
  }

  /** Bytes without a copy. */
  private static final class LineBuffer extends ByteArrayOutputStream {
    LineBuffer() {
      super(BUFFER_BYTES);
    }

    byte[] bytes() {
      return buf;
    }

    void truncate(int length) {
      count = length;
    }
  }

  private AuditFile(AuditSettings settings, AuditChain chain, InstantSource clock, FileChannel lock)
      throws IOException {
    this.json = JSON.createGenerator(buffer);
    this.settings = settings;
    this.chain = chain;
    this.clock = clock;
    this.lock = lock;
  }

  /**
   * Opens a log, and goes on behind its last line.
   *
   * @param secret of the servers; empty if they have none
   * @throws IOException if the directory cannot be written, or another process writes it
   */
  static AuditFile open(AuditSettings settings, String secret, InstantSource clock) throws IOException {
    Path directory = settings.directory();
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory.toAbsolutePath(), mode("rwx------"));
    }
    FileChannel lock = file(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      lock(lock, directory);
      AuditFile file = new AuditFile(settings, new AuditChain(secret), clock, lock);
      try {
        file.goOn(secret);
        file.add(file.own(AuditLine.START, out -> out.writeStringField("server", settings.server())));
        file.flush();
        file.sync();
        return file;
      } catch (IOException | RuntimeException e) {
        file.abandon();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static void lock(FileChannel channel, Path directory) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      throw new IOException("another server writes the audit log in " + directory, e);
    }
    if (lock == null) {
      throw new IOException("another server writes the audit log in " + directory);
    }
  }

  private static FileChannel file(Path path, OpenOption... options) throws IOException {
    return FileChannel.open(path, Set.of(options), mode("rw-------"));
  }

  private static FileAttribute<?>[] mode(String permissions) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))}
        : new FileAttribute<?>[0];
  }

  // ---- where it was left

  private void goOn(String secret) throws IOException {
    List<Path> files = new ArrayList<>(AuditFiles.in(settings.directory()));
    while (!files.isEmpty()) {
      Path newest = files.removeLast();
      if (hasNoLine(newest)) {
        // The server stopped when it had begun the file.
        Files.delete(newest);
        continue;
      }
      AuditVerification known = new AuditVerification(List.of(secret), Optional.empty());
      known.verify(List.of(newest));
      Optional<AuditLine> last = known.last();
      if (last.isPresent()) {
        goOn(newest, last.get(), known.end());
      } else {
        // Not of this secret, or damaged: what can be read of it is the best that is known.
        AuditHead end = lastOf(newest);
        begin(end);
      }
      return;
    }
    begin(AuditHead.NONE);
  }

  private void begin(AuditHead end) throws IOException {
    written = end;
    head = end;
    rotate();
  }

  private static boolean hasNoLine(Path file) throws IOException {
    try (AuditLines lines = new AuditLines(file)) {
      return !lines.advance() || (!lines.isWhole() && lines.length() < AuditLine.BYTES);
    }
  }

  private static AuditHead lastOf(Path file) throws IOException {
    AuditHead last = new AuditHead(AuditFiles.first(file), AuditChain.ORIGIN);
    try (AuditLines lines = new AuditLines(file)) {
      while (lines.advance()) {
        AuditHead before = last;
        last = AuditLine.parse(lines.bytes(), lines.length())
            .filter(line -> line.sequence() > before.sequence())
            .map(line -> new AuditHead(line.sequence(), line.hash())).orElse(last);
      }
    }
    return last;
  }

  /** Goes on in a file; what is behind its last line is said to be torn. */
  private void goOn(Path file, AuditLine last, long end) throws IOException {
    written = new AuditHead(last.sequence(), last.hash());
    head = written;
    FileChannel opened = file(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    channel = opened;
    size = opened.size();
    opened.position(size);
    if (size == end) {
      return;
    }
    ByteBuffer byteBefore = ByteBuffer.allocate(1);
    if (opened.read(byteBefore, size - 1) == 1 && byteBefore.get(0) != '\n') {
      write(opened, ByteBuffer.wrap(new byte[]{'\n'}));
    }
    String digest = digest(file, end);
    long bytes = size - end;
    add(own(AuditLine.TORN, out -> {
      out.writeNumberField("bytes", bytes);
      out.writeStringField("sha256", digest);
    }));
    flush();
  }

  private static String digest(Path file, long from) throws IOException {
    MessageDigest digest = OperatorKey.sha256();
    try (AuditLines lines = new AuditLines(file)) {
      lines.skip(from);
      while (lines.advance()) {
        digest.update(lines.bytes(), 0, lines.length());
        if (lines.isWhole()) {
          digest.update((byte) '\n');
        }
      }
    }
    return OperatorKey.hex(digest.digest());
  }

  // ---- lines

  /** Writes members of an object. */
  private interface Members {
    void write(JsonGenerator out) throws IOException;
  }

  private AuditContent own(String event, Members members) {
    long now = clock.millis();
    return new AuditContent() {
      @Override
      public long millis() {
        return now;
      }

      @Override
      public String event() {
        return event;
      }

      @Override
      public void write(JsonGenerator out) throws IOException {
        members.write(out);
      }
    };
  }

  /** Begins to count what is written. */
  void begin() {
    flushed = 0;
  }

  /** How many contents since {@link #begin} are in files. */
  int flushed() {
    return flushed;
  }

  /** Adds a line that says how many events are lost. */
  void addLost(long lost) throws IOException {
    add(own(AuditLine.LOST, out -> out.writeNumberField("lost", lost)));
  }

  /**
   * Adds a line, which is written by {@link #flush} at the latest.
   *
   * @throws IOException if what is in the buffer cannot be written; the line is not added then
   */
  void add(AuditContent content) throws IOException {
    AuditHead before = head;
    int mark = buffer.size();
    line(content);
    boolean isFull = (hasLines || mark > 0) && size + buffer.size() > settings.bytes();
    if (isFull || mark > BUFFER_BYTES) {
      // The line is made again, behind all others.
      buffer.truncate(mark);
      head = before;
      flush();
      if (isFull) {
        rotate();
      }
      line(content);
    }
    buffered++;
  }

  private void line(AuditContent content) throws IOException {
    long sequence = head.sequence() + 1;
    int from = buffer.size();
    boolean isWhole = false;
    try {
      json.writeStartObject();
      json.writeNumberField("seq", sequence);
      json.writeStringField("time", time(content.millis()));
      json.writeStringField("event", content.event());
      content.write(json);
      json.flush();
      String hash = chain.hash(head.hash(), buffer.bytes(), from, buffer.size() - from);
      json.writeStringField("hash", hash);
      json.writeEndObject();
      json.writeRaw('\n');
      json.flush();
      head = new AuditHead(sequence, hash);
      isWhole = true;
    } finally {
      if (!isWhole) {
        // It is within an object, of which nothing else may get into the buffer.
        json = JSON.createGenerator(buffer);
      }
    }
  }

  private static String time(long millis) {
    String text = Instant.ofEpochMilli(millis).toString();
    // Without a fraction if that is 0.
    return text.length() == "2026-01-02T03:04:05Z".length() ? text.substring(0, text.length() - 1) + ".000Z" : text;
  }

  /**
   * Writes what is in the buffer, all of it or nothing.
   *
   * @throws IOException if that fails: then the buffer is empty, and the next line follows the last one that is written
   */
  void flush() throws IOException {
    FileChannel current = channel;
    try {
      if (buffer.size() > 0) {
        if (current == null) {
          throw new IOException("the file was not begun");
        }
        write(current, ByteBuffer.wrap(buffer.bytes(), 0, buffer.size()));
        hasLines = true;
      }
      written = head;
      flushed += buffered;
    } catch (IOException e) {
      head = written;
      throw e;
    } finally {
      buffer.truncate(0);
      buffered = 0;
    }
  }

  private void write(FileChannel current, ByteBuffer bytes) throws IOException {
    long length = bytes.remaining();
    if (isDirty && current.size() > size) {
      // Half a line, which could not be taken back when it failed.
      FileChannel unused = current.truncate(size);
    }
    current.position(size);
    try {
      while (bytes.hasRemaining()) {
        int unused = current.write(bytes);
      }
      size += length;
      isDirty = true;
    } catch (IOException e) {
      isDirty = true;
      try {
        FileChannel unused = current.truncate(size);
      } catch (IOException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  /** Begins the next file; the former one stays in use if that fails. */
  private void rotate() throws IOException {
    FileChannel full = channel;
    if (full != null) {
      full.force(true);
    }
    Path next = settings.directory().resolve(AuditFiles.name(head.sequence() + 1));
    FileChannel fresh =
        file(next, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    long former = size;
    AuditHead last = written;
    try {
      channel = fresh;
      size = 0;
      String previous = head.hash();
      line(own(AuditLine.FILE, out -> {
        out.writeStringField("previous", previous);
        out.writeStringField("server", settings.server());
      }));
      flush();
      hasLines = false;
      fresh.force(true);
      syncDirectory();
    } catch (IOException | RuntimeException e) {
      channel = full;
      size = former;
      written = last;
      head = last;
      closeAndDelete(fresh, next, e);
      throw e;
    }
    if (full != null) {
      full.close();
    }
    removeOldest();
  }

  private static void closeAndDelete(FileChannel channel, Path file, Exception why) {
    try {
      channel.close();
      Files.deleteIfExists(file);
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  private void removeOldest() throws IOException {
    List<Path> files = AuditFiles.in(settings.directory());
    for (Path file : files.subList(0, Math.max(0, files.size() - settings.files()))) {
      Files.deleteIfExists(file);
    }
  }

  /** A new file survives a loss of power only if its directory does. */
  private void syncDirectory() {
    try (FileChannel directory = FileChannel.open(settings.directory(), StandardOpenOption.READ)) {
      directory.force(true);
    } catch (IOException e) {
      // Not every system opens directories, and those write them without being asked.
      isDirty = true;
    }
  }

  /** Makes sure that what was written survives a loss of power. */
  void sync() throws IOException {
    FileChannel current = channel;
    if (isDirty && current != null) {
      current.force(false);
      isDirty = false;
    }
  }

  /** Drops what is in the buffer. */
  void discard() {
    buffer.truncate(0);
    buffered = 0;
    head = written;
  }

  /** The last line that is in a file. */
  AuditHead head() {
    return written;
  }

  private void abandon() throws IOException {
    FileChannel current = channel;
    channel = null;
    if (current != null) {
      current.close();
    }
  }

  /** Closes the files as if the server had crashed. */
  @Override
  public void close() throws IOException {
    try (lock) {
      abandon();
    }
  }

  /**
   * Says that the server stops, and closes the files.
   *
   * @param lost how many events are, of which no line says so yet
   */
  void stop(long lost) throws IOException {
    try (lock) {
      try {
        // Neither fits alone: a log that ends in good order says all that it lacks.
        if (lost > 0) {
          addLost(lost);
        }
        add(own(AuditLine.STOP, out -> {}));
        flush();
        sync();
      } finally {
        abandon();
      }
    }
  }
}
