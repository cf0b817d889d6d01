package io.rns.server.store;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import javax.net.ssl.SSLException;

/** Why a database cannot be reached, in words: for every caller, and for the log. */
final class ConnectionTrouble {
  /** The driver's, whose class is not part of its interface. */
  private static final String BAD_TLS_SETTINGS = "SSLParamsException";

  private static final int LONGEST = 200;

  private ConnectionTrouble() {}

  /**
   * The kind of the cause, without addresses, accounts and files; empty if it is none of those that operators can mend.
   */
  static String kind(SQLException e) {
    boolean tls = false;
    for (Throwable each = e; each != null; each = each.getCause()) {
      switch (each) {
        case UnknownHostException unknown -> {
          return "unknown host";
        }
        case NoRouteToHostException away -> {
          return "no route to host";
        }
        case ConnectException refused -> {
          return "connection refused";
        }
        case SocketTimeoutException silent -> {
          return "no answer in time";
        }
        case SSLException failed -> tls = true;
        case GeneralSecurityException failed -> tls = true;
        default -> tls |= each.getClass().getSimpleName().equals(BAD_TLS_SETTINGS);
      }
    }
    return tls ? "TLS cannot be set up" : "";
  }

  /** The message of the innermost cause, behind that of the driver where it is about settings: for the log. */
  static String detail(SQLException e) {
    String settings = "";
    Throwable each = e;
    while (each.getCause() != null) {
      if (each.getClass().getSimpleName().equals(BAD_TLS_SETTINGS)) {
        settings = text(each) + "; ";
      }
      each = each.getCause();
    }
    return settings + text(each);
  }

  private static String text(Throwable cause) {
    String message = String.valueOf(cause.getMessage()).strip().replaceAll("\\s+", " ");
    return cause.getClass().getSimpleName() + ": "
        + (message.length() > LONGEST ? message.substring(0, LONGEST) : message);
  }

  /**
   * What the driver said of a connection that the pool could not get; the pool repeats its state but not its error
   * number.
   */
  static SQLException origin(SQLException e) {
    return e.getErrorCode() == 0 && e.getCause() instanceof SQLException cause ? origin(cause) : e;
  }
}
