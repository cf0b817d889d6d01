package io.rns.server.store;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Keeps the driver from the key and trust stores of the JVM. In an application server those are the server's own, with
 * a password that the driver does not know, so that every encrypted connection fails before it begins. What the URL
 * says wins.
 */
final class SystemStores {
  private static final String KEYS = "fallbackToSystemKeyStore";
  private static final String TRUST = "fallbackToSystemTrustStore";

  /** Certificates are verified, for which there may be no other store. */
  private static final Pattern VERIFIES =
      Pattern.compile("(?i)\\b(sslMode=VERIFY_(CA|IDENTITY)|verifyServerCertificate=(true|yes))\\b");

  private SystemStores() {}

  /** The properties of the driver for connections to a JDBC URL; the driver prefers them to those in the URL. */
  static Map<String, String> unlessIn(String url) {
    Map<String, String> properties = new HashMap<>();
    if (!names(url, KEYS)) {
      properties.put(KEYS, "false");
    }
    if (!names(url, TRUST) && !VERIFIES.matcher(url).find()) {
      properties.put(TRUST, "false");
    }
    return properties;
  }

  private static boolean names(String url, String property) {
    return Pattern.compile("(?i)\\b" + property + "=").matcher(url).find();
  }
}
