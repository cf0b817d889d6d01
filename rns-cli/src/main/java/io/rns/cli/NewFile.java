package io.rns.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes a file beside the one it replaces, and moves it into place when it is complete. Writes directly to anything
 * but a regular file, such as a pipe.
 */
final class NewFile implements AutoCloseable {
  private final Path target;
  private final Path part;
  private final BufferedWriter writer;
  private boolean complete;

  NewFile(Path file) throws IOException {
    boolean exists = Files.exists(file);
    target = exists ? file.toRealPath() : file;
    boolean beside = !exists || Files.isRegularFile(target);
    part = beside ? target.resolveSibling(target.getFileName() + ".part") : target;
    if (beside) {
      // Also after Ctrl-C.
      part.toFile().deleteOnExit();
    }
    writer = Files.newBufferedWriter(part);
  }

  BufferedWriter writer() {
    return writer;
  }

  /** Everything is written: closing it moves it into place. */
  void complete() {
    complete = true;
  }

  @Override
  public void close() throws IOException {
    try (writer) {
      writer.flush();
    } catch (IOException e) {
      complete = false;
      throw e;
    } finally {
      if (!part.equals(target)) {
        settle();
      }
    }
  }

  private void settle() throws IOException {
    if (complete) {
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } else {
      Files.deleteIfExists(part);
    }
  }
}
