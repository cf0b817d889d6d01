package io.rns.server;

import io.rns.error.RnsException;
import io.rns.server.namespace.LocalNameService;
import io.rns.server.store.Database;
import java.time.InstantSource;

/**
 * One server: its parts, put together by hand, and closed in the opposite order.
 *
 * <p>Thread-safe.
 */
public final class RnsServer implements AutoCloseable {
  private final Database database;
  private final LocalNameService names;

  private RnsServer(Database database, LocalNameService names) {
    this.database = database;
    this.names = names;
  }

  /**
   * Connects to the database, brings its schema up to date, and becomes the primary.
   *
   * @throws RnsException if the database cannot be reached or used; nothing is left open
   */
  public static RnsServer start(ServerConfig config, InstantSource clock) {
    Database database = new Database(config.database());
    try {
      database.migrate();
      LocalNameService names = LocalNameService.start(database, config.cacheBytes(), config.writer(), clock);
      return new RnsServer(database, names);
    } catch (RuntimeException | Error e) {
      database.close();
      throw e;
    }
  }

  /** The namespace. */
  public LocalNameService names() {
    return names;
  }

  @Override
  public void close() {
    names.close();
    database.close();
  }
}
