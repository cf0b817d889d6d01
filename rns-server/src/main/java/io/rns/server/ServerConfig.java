package io.rns.server;

import io.rns.server.namespace.WriterSettings;
import io.rns.server.store.DatabaseSettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The validated settings of a server, read once.
 *
 * @param database how the database is reached
 * @param writer how the writer works
 * @param cacheBytes memory for cached entries
 * @param requestTimeout longest time in which a request must have arrived
 * @param largeRequests most large requests that are held in memory at once
 * @param serverName the name of this server; empty means the name of the host
 * @param publicUrl the address of the SOAP endpoint as clients see it; empty means as in the request
 */
public record ServerConfig(
    DatabaseSettings database,
    WriterSettings writer,
    long cacheBytes,
    Duration requestTimeout,
    int largeRequests,
    Optional<String> serverName,
    Optional<String> publicUrl) {

  private static final String FILE = "RNS_CONFIG";

  /**
   * Reads the settings from variables and the file that {@code RNS_CONFIG} names among them, if any.
   *
   * @throws IllegalArgumentException naming the setting, its bounds and the value that is refused
   */
  public static ServerConfig read(Map<String, String> environment) {
    Map<String, String> given = new java.util.HashMap<>(file(environment.get(FILE)));
    for (Knob knob : Knob.values()) {
      String value = environment.get(knob.name());
      if (value != null) {
        given.put(knob.name(), value);
      }
    }
    Map<Knob, String> values = new EnumMap<>(Knob.class);
    for (Knob knob : Knob.values()) {
      values.put(knob, checked(knob, given.getOrDefault(knob.name(), knob.initial()).trim()));
    }
    return of(values);
  }

  private static Map<String, String> file(@org.jspecify.annotations.Nullable String name) {
    Map<String, String> settings = new java.util.HashMap<>();
    if (name == null || name.isBlank()) {
      return settings;
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(name))) {
      properties.load(reader);
    } catch (IOException e) {
      throw new IllegalArgumentException(FILE + " names a file that cannot be read: " + e, e);
    }
    for (String key : properties.stringPropertyNames()) {
      try {
        settings.put(Knob.valueOf(key).name(), properties.getProperty(key));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(name + ": there is no setting '" + key + "'", e);
      }
    }
    return settings;
  }

  private static String checked(Knob knob, String value) {
    boolean text = knob.unit() == Knob.Unit.TEXT;
    long size;
    try {
      size = text ? value.length() : Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(knob + "='" + value + "' is not a whole number", e);
    }
    if (size < knob.minimum() || size > knob.maximum()) {
      String what = text ? "has " + size + " characters" : "is out of bounds";
      throw new IllegalArgumentException(
          knob + "='" + (knob == Knob.RNS_DB_PASSWORD ? "..." : value) + "' " + what + "; allowed are " + knob.minimum()
              + " to " + knob.maximum() + " " + (text ? "characters" : knob.unit().name().toLowerCase(java.util.Locale.ROOT)));
    }
    return value;
  }

  private static ServerConfig of(Map<Knob, String> values) {
    String url = values.get(Knob.RNS_DB_URL);
    if (!url.startsWith("jdbc:mysql:")) {
      throw new IllegalArgumentException(Knob.RNS_DB_URL + "='" + url + "' does not begin with jdbc:mysql:");
    }
    DatabaseSettings database =
        new DatabaseSettings(
            url,
            values.get(Knob.RNS_DB_USER),
            values.get(Knob.RNS_DB_PASSWORD),
            (int) number(values, Knob.RNS_DB_READ_CONNECTIONS),
            millis(values, Knob.RNS_DB_CONNECTION_TIMEOUT),
            millis(values, Knob.RNS_DB_SOCKET_TIMEOUT),
            millis(values, Knob.RNS_DB_MAX_LIFETIME),
            millis(values, Knob.RNS_DB_KEEPALIVE));
    WriterSettings writer =
        new WriterSettings(
            (int) number(values, Knob.RNS_WRITE_QUEUE),
            (int) number(values, Knob.RNS_WRITE_BATCH),
            millis(values, Knob.RNS_WRITE_TIMEOUT),
            Duration.ofHours(number(values, Knob.RNS_REQUEST_IDS_KEPT)),
            Duration.ofHours(number(values, Knob.RNS_CHANGES_KEPT)));
    long cacheBytes = number(values, Knob.RNS_CACHE_BYTES);
    return new ServerConfig(
        database,
        writer,
        cacheBytes == 0 ? Runtime.getRuntime().maxMemory() / 4 : cacheBytes,
        millis(values, Knob.RNS_REQUEST_TIMEOUT),
        (int) number(values, Knob.RNS_LARGE_REQUESTS),
        text(values, Knob.RNS_SERVER_NAME),
        text(values, Knob.RNS_PUBLIC_URL));
  }

  private static Optional<String> text(Map<Knob, String> values, Knob knob) {
    return Optional.of(values.get(knob)).filter(text -> !text.isEmpty());
  }

  private static long number(Map<Knob, String> values, Knob knob) {
    return Long.parseLong(values.get(knob));
  }

  private static Duration millis(Map<Knob, String> values, Knob knob) {
    return Duration.ofMillis(number(values, knob));
  }
}
