package io.rns.server.store;

import java.util.Arrays;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How a member is reached to be controlled.
 *
 * @param url without account and schema: neither needs to be there
 * @param schema where the tables are
 * @param user account that controls replication, also used by replicas to fetch
 * @param password its password
 */
record ControlAccount(String url, String schema, String user, String password) {
  private static final Pattern URL = Pattern.compile("(jdbc:[a-z:]+//)([^/?]*)(?:/([^?]*))?(?:\\?(.*))?");
  private static final String DEFAULT_SCHEMA = "rns";
  private static final Pattern ENCRYPTED = Pattern.compile("(?i)[?&]sslMode=(REQUIRED|VERIFY_CA|VERIFY_IDENTITY)\\b");

  static ControlAccount of(String jdbcUrl, String user, String password) {
    Matcher url = URL.matcher(jdbcUrl);
    if (!url.matches()) {
      throw new IllegalArgumentException("a JDBC URL is like jdbc:mysql://host:port/name");
    }
    // What stands in the URL would win over what is given beside it.
    String parameters =
        url.group(4) == null
            ? ""
            : Arrays.stream(url.group(4).split("&", -1))
                .filter(
                    each -> !each.toLowerCase(Locale.ROOT).matches("(user|password|sockettimeout|connecttimeout)=.*"))
                .collect(Collectors.joining("&"));
    String schema = url.group(3) == null || url.group(3).isEmpty() ? DEFAULT_SCHEMA : url.group(3);
    return new ControlAccount(
        url.group(1) + url.group(2) + "/" + (parameters.isEmpty() ? "" : "?" + parameters), schema, user, password);
  }

  /** The same on another member. */
  ControlAccount at(String host, int port) {
    return new ControlAccount(url.replaceFirst("//[^/]*/", "//" + host + ":" + port + "/"), schema, user, password);
  }

  /** Whether connections are to be encrypted, those between databases as well. */
  boolean encrypted() {
    return ENCRYPTED.matcher(url).find();
  }

  /** Properties of the driver beside the URL. */
  Properties properties() {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    // Commands of replication are no statements that a server prepares.
    properties.setProperty("useServerPrepStmts", "false");
    return properties;
  }

  /** Without the password. */
  @Override
  public String toString() {
    return url.replaceAll("[/?].*|jdbc:[a-z:]+//", "") + " as " + user;
  }
}
