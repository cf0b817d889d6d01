package io.rns.server;

import io.rns.local.DatabaseProcess;
import io.rns.server.store.DatabaseSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.testcontainers.mysql.MySQLContainer;

/**
 * The database that tests run on: the embedded MariaDB, or the one that the system property {@code rns.test.jdbcUrl}
 * names, or, with {@code -Drns.test.database=container}, a MySQL container. The property may have several URLs, with
 * blanks between them: one for each JVM that runs tests at the same time.
 */
public final class TestDatabase {
  private static final int FORK = Integer.getInteger("rns.test.fork", 1);

  private static String url;

  private TestDatabase() {}

  /** A database that all tests of this JVM share; user and password are in the URL. */
  public static synchronized String sharedUrl() {
    checkTag();
    if (url == null) {
      String given = System.getProperty("rns.test.jdbcUrl", "");
      if (!given.isBlank()) {
        String[] urls = given.strip().split("\\s+", -1);
        url = urls[(FORK - 1) % urls.length];
      } else if (System.getProperty("rns.test.database", "").equals("container")) {
        url = container();
      } else {
        url = withAccount(DatabaseProcess.start(DatabaseProcess.Settings.in(directory())));
      }
    }
    return url;
  }

  private static void checkTag() {
    if (Boolean.getBoolean("rns.test.withoutServers")) {
      throw new IllegalStateException("a test that needs a database has the tag \"server\"");
    }
  }

  /** One for each JVM that runs tests at the same time. */
  private static Path directory() {
    return Path.of("target", "test-database-" + FORK);
  }

  @SuppressWarnings("resource") // ends with the JVM
  private static String container() {
    MySQLContainer mysql =
        new MySQLContainer("mysql:9").withDatabaseName("rns").withUsername("rns").withPassword("rns");
    mysql.start();
    return mysql.getJdbcUrl() + "?user=rns&password=rns";
  }

  /** A database of the caller's own, which it may kill, pause and restart. */
  public static DatabaseProcess own(Path directory, String... arguments) {
    checkTag();
    return DatabaseProcess.start(
        DatabaseProcess.Settings.in(directory).withBufferPool("64M").withArguments(arguments));
  }

  /** The URL of a process with its account. */
  public static String withAccount(DatabaseProcess database) {
    String base = database.jdbcUrl();
    return base + (base.contains("?") ? "&" : "?") + "user=" + database.user() + "&password=" + database.password();
  }

  /** Settings for a process that belongs to a server group. */
  public static DatabaseSettings settings(DatabaseProcess process, int group) {
    DatabaseSettings usual = settings(withAccount(process));
    return new DatabaseSettings(
        usual.url(), usual.user(), usual.password(), usual.readConnections(), usual.connectionTimeout(),
        usual.socketTimeout(), usual.maxLifetime(), usual.keepalive(), group);
  }

  /** Settings for a URL, with times that no machine is too slow for. */
  public static DatabaseSettings settings(String url) {
    return settings(url, Duration.ofSeconds(30), Duration.ofSeconds(30));
  }

  /** Settings where the database fails and tests wait until that is noticed. */
  public static DatabaseSettings impatient(String url) {
    return impatient(url, Duration.ofSeconds(3));
  }

  /** The same with a longest wait for an answer of the database; a third of it is the longest wait for a lock. */
  public static DatabaseSettings impatient(String url, Duration socketTimeout) {
    return settings(url, Duration.ofSeconds(2), socketTimeout);
  }

  private static DatabaseSettings settings(String url, Duration connectionTimeout, Duration socketTimeout) {
    return new DatabaseSettings(
        url, "rns", "rns", 8, connectionTimeout, socketTimeout, Duration.ofMinutes(30), Duration.ofMinutes(2), 0);
  }
}
