package io.rns.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Enumeration;
import java.util.function.Function;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Operations on directory trees, and private files. */
final class FileTrees {
  private FileTrees() {}

  /** Creates a directory accessible only to its owner, and its parents; leaves an existing one unchanged. */
  static void createPrivate(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.createDirectory(
        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** Atomically writes a file readable only by its owner. */
  static void writePrivate(Path file, String text) throws IOException {
    Path aside =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            file.getFileName() + ".",
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(aside, text);
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Deletes a directory tree; no error if it does not exist. */
  static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Copies what is in a directory into another one, which is created if absent. */
  static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            Files.createDirectories(to.resolve(from.relativize(directory)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /**
   * Unpacks an archive.
   *
   * @param relative maps an entry's name to the path below {@code target}; empty skips the entry
   */
  static void unpack(ZipFile archive, Path target, Function<String, String> relative) throws IOException {
    Path root = target.toAbsolutePath().normalize();
    Files.createDirectories(root);
    for (Enumeration<? extends ZipEntry> entries = archive.entries(); entries.hasMoreElements();) {
      ZipEntry entry = entries.nextElement();
      String name = relative.apply(entry.getName());
      if (entry.isDirectory() || name.isEmpty()) {
        continue;
      }
      Path file = root.resolve(name).normalize();
      if (!file.startsWith(root)) {
        throw new IOException(archive.getName() + " has an entry outside its root: " + entry.getName());
      }
      Files.createDirectories(file.getParent());
      try (InputStream content = archive.getInputStream(entry)) {
        Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
