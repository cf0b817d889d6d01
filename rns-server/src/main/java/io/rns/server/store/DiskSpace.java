package io.rns.server.store;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The space left where a database on this machine keeps its files. A database whose disk is full does not refuse a
 * commit: it holds it, and every commit behind it, and looks again once a minute. So writes are refused a little
 * earlier.
 *
 * @param directories where tables and the binary log are; empty if the database is on another machine
 */
record DiskSpace(List<File> directories) {
  /** Enough for every transaction, and for the database's own files to grow by a step. */
  static final long RESERVE_BYTES = 64L << 20;

  /** Nothing is known. */
  static final DiskSpace UNKNOWN = new DiskSpace(List.of());

  private static final Pattern HOST = Pattern.compile("jdbc:mysql://([^/,:?()\\[\\]]+)(?::[0-9]+)?(?:[/?].*)?");
  private static final String FILES = "SELECT @@datadir, @@log_bin_basename";

  /** That of the database at the other end of a connection. */
  static DiskSpace of(Connection connection, String url) throws SQLException {
    Matcher host = HOST.matcher(url);
    if (!host.matches() || !isHere(host.group(1))) {
      return UNKNOWN;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(FILES)) {
      row.next();
      File data = new File(row.getString(1));
      String log = row.getString(2);
      File logs = log == null ? data : Objects.requireNonNullElse(new File(log).getParentFile(), data);
      return new DiskSpace(Stream.of(data, logs).distinct().filter(File::exists).toList());
    }
  }

  private static boolean isHere(String host) {
    try {
      InetAddress address = InetAddress.getByName(host);
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether less than the reserve is left. */
  boolean isUsedUp() {
    for (File directory : directories) {
      // 0 also if the directory is gone or cannot be looked at.
      if (directory.getUsableSpace() < RESERVE_BYTES && directory.getTotalSpace() > 0) {
        return true;
      }
    }
    return false;
  }
}
