package io.rns.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.association.AsapAccess;
import io.rns.client.http.MessageAuthentication;
import io.rns.local.DatabaseProcess;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("server")
class StartupTest {
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final String KEY_STORE = "javax.net.ssl.keyStore";

  @TempDir private static Path temporary;
  private static DatabaseProcess database;

  @BeforeAll
  static void startDatabase() {
    database = TestDatabase.own(temporary.resolve("database"), "--ssl");
  }

  @AfterAll
  static void stopDatabase() {
    database.close();
  }

  private static Map<String, String> settings() {
    return new HashMap<>(
        Map.of(
            "RNS_DB_URL", database.jdbcUrl(),
            "RNS_DB_USER", database.user(),
            "RNS_DB_PASSWORD", database.password()));
  }

  private static Startup startup(Map<String, String> settings) {
    return new Startup(ServerConfig.read(settings), new ServerLoad(() -> 0), MessageAuthentication.NONE,
        reader -> AsapAccess.OPEN, ready -> {});
  }

  /** A first request right after "serving" was refused with "the service is starting". */
  @Test
  void doesNotSayThatItServesBeforeRequestsAreAnswered() throws Exception {
    AtomicReference<Startup> startup = new AtomicReference<>();
    AtomicReference<Boolean> saidBefore = new AtomicReference<>();
    try (Startup starting =
        new Startup(
            ServerConfig.read(settings()), new ServerLoad(() -> 0), MessageAuthentication.NONE,
            reader -> AsapAccess.OPEN, ready -> saidBefore.set(startup.get().server() != null))) {
      startup.set(starting);
      starting.start();
      Eventually.until("it serves", BOUND, () -> starting.server() != null);
      assertThat(saidBefore.get()).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({
      "RNS_DB_PASSWORD, wrong-one, access denied, Access denied for user",
      "RNS_DB_URL, jdbc:mysql://127.0.0.1:CLOSED/rns, the database cannot be reached: connection refused, Connection refused",
      "RNS_DB_URL, jdbc:mysql://no-such-host.invalid/rns, the database cannot be reached: unknown host, no-such-host.invalid",
      "RNS_DB_URL, jdbc:mysql://127.0.0.1:OPEN/no_such_schema, access denied: the account has no rights in that schema, no_such_schema"
  })
  void saysOnceWhyTheDatabaseCannotBeReached(String name, String value, String reason, String logged) throws Exception {
    Map<String, String> settings = settings();
    String port = database.jdbcUrl().replaceFirst(".*:(\\d+)/.*", "$1");
    settings.put(name, value.replace("CLOSED", Integer.toString(closedPort())).replace("OPEN", port));
    List<String> lines = new CopyOnWriteArrayList<>();
    Handler handler = collector(lines);
    Logger root = Logger.getLogger("");
    root.addHandler(handler);
    try (Startup starting = startup(settings)) {
      starting.attempt();
      starting.attempt();
      assertThat(starting.reason())
          .startsWith("waiting for the database: " + reason)
          .doesNotContain("wrong-one", "127.0.0.1", "no-such-host", "no_such_schema", "'rns'");
      assertThat(lines).singleElement().asString().contains(starting.reason(), logged).doesNotContain("wrong-one");
    } finally {
      root.removeHandler(handler);
    }
  }

  /**
   * As an application server has: its password is not the driver's business, and the connection failed before it began.
   */
  @Test
  void connectsEncryptedWhereTheJvmHasAKeyStoreOfItsOwn() throws Exception {
    Map<String, String> settings = settings();
    settings.compute("RNS_DB_URL", (name, url) -> url.replaceFirst("\\?.*", ""));
    String former = System.setProperty(KEY_STORE, keyStore(temporary.resolve("keys.p12")).toString());
    try (Startup starting = startup(settings)) {
      assertThat(starting.attempt()).as(starting.reason()).isTrue();
      assertThat(encryptedSessions()).isPositive();
    } finally {
      if (former == null) {
        System.clearProperty(KEY_STORE);
      } else {
        System.setProperty(KEY_STORE, former);
      }
    }
  }

  private static int encryptedSessions() throws Exception {
    try (Connection root =
        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        ResultSet finished = root.createStatement().executeQuery("SHOW GLOBAL STATUS LIKE 'Ssl_finished_accepts'")) {
      return finished.next() ? finished.getInt(2) : 0;
    }
  }

  private static Path keyStore(Path file) throws Exception {
    char[] password = "not-told".toCharArray();
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setEntry(
        "key",
        new KeyStore.SecretKeyEntry(new SecretKeySpec(new byte[16], "AES")),
        new KeyStore.PasswordProtection(password));
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password);
    }
    return file;
  }

  private static int closedPort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static Handler collector(List<String> lines) {
    SimpleFormatter formatter = new SimpleFormatter();
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        lines.add(formatter.formatMessage(line));
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
