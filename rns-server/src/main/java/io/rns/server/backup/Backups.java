package io.rns.server.backup;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.server.store.Database;
import io.rns.server.store.TableRows;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes backups of a server, and restores them. Thread-safe. */
public final class Backups {
  private static final Logger LOG = LoggerFactory.getLogger(Backups.class);

  private final Database database;
  private final Function<Runnable, Position> replacement;
  private final String version;
  private final InstantSource clock;

  /**
   * Backups of a database.
   *
   * @param replacement has everything in the database replaced by its argument, which does so in one transaction;
   *        returns the position at which the server goes on
   * @param version of this server
   */
  public Backups(
      Database database, Function<Runnable, Position> replacement, String version, InstantSource clock) {
    this.database = database;
    this.replacement = replacement;
    this.version = version;
    this.clock = clock;
  }

  /**
   * Writes all that the server has at one moment into a file; requests go on.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if the database goes away, {@link RnsError#STORAGE_FULL} if the
   *         file cannot be written
   */
  public void make(Path file) {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      BackupWriter writer = new BackupWriter(out, version, clock.instant());
      TableRows.Head head = TableRows.read(database, writer);
      writer.end();
      LOG.info("a backup of {} entries at {} was made", head.entries(), head.position());
    } catch (IOException | UncheckedIOException e) {
      throw new RnsException(RnsError.STORAGE_FULL, "the backup cannot be written on this server: " + e.getMessage(),
          e);
    }
  }

  /**
   * What was restored.
   *
   * @param from the position of the backup
   * @param position the one at which the server goes on
   */
  public record Restored(long entries, Position from, Position position) {}

  /**
   * Replaces all that the server has by a backup.
   *
   * @param force also if it has entries
   * @throws RnsException if the file is no backup that suits it, or it is not empty; nothing has changed then
   */
  public Restored restore(Path file, boolean force) {
    try {
      BackupFile backup = new BackupFile(file);
      AtomicReference<@Nullable Position> begun = new AtomicReference<>();
      Position position =
          replacement.apply(() -> begun.set(TableRows.replace(database, backup, force, clock.instant())));
      LOG.warn("a backup of {} entries was restored; the first position after it is {}", backup.head().entries(),
          begun.get());
      return new Restored(backup.head().entries(), backup.head().position(), position);
    } catch (IOException | UncheckedIOException e) {
      throw new RnsException(RnsError.STORAGE_FULL, "the backup cannot be read on this server: " + e.getMessage(), e);
    }
  }
}
