package io.rns.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this server, as the build has it. */
final class ServerVersion {
  static final String TEXT = read();

  private ServerVersion() {}

  private static String read() {
    Properties properties = new Properties();
    try (InputStream file = ServerVersion.class.getResourceAsStream("version.properties")) {
      properties.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }
}
