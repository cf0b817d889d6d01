package io.rns.server.store;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;

/** What the database's errors mean for callers. */
public final class SqlErrors {
  private static final int LOCK_WAIT_TIMEOUT = 1205;
  private static final int DEADLOCK = 1213;
  private static final int NULL_REFUSED = 1048;
  private static final int READ_ONLY = 1290;
  private static final int READ_ONLY_MODE = 1836;
  private static final int DISK_FULL = 1021;
  private static final int TABLE_FULL = 1114;
  private static final String CLOSED = "08003";

  /** While a group of databases makes another one its primary. */
  private static final int HELD_BACK = 4094;

  /** Message to callers, operators and the log. */
  static final String NO_SPACE = "the database has no space left";

  private SqlErrors() {}

  /**
   * The error as the service reports it: {@link RnsError#BUSY} for lost races that a repetition wins,
   * {@link RnsError#STORAGE_FULL}, {@link RnsError#UNAVAILABLE} for everything about the connection,
   * {@link RnsError#INTERNAL} for what should not happen. Never with SQL in the message.
   */
  static RnsException toException(SQLException e) {
    return switch (ConnectionTrouble.origin(e).getErrorCode()) {
      case DEADLOCK, LOCK_WAIT_TIMEOUT ->
        new RnsException(RnsError.BUSY, "the database ended the transaction in favour of another", e);
      case DISK_FULL, TABLE_FULL, 3675, 3 /* EE_WRITE */, 20 /* EE_DISK_FULL */ -> storageFull(e);
      case 1969, 3024 -> new RnsException(RnsError.UNAVAILABLE, "the database took too long", e);
      case READ_ONLY, READ_ONLY_MODE -> new RnsException(RnsError.UNAVAILABLE, "the database is read-only", e);
      // Group Replication: not agreed on by a majority, or held back for too long.
      case 3100, 3101, 3796, 3797 ->
        new RnsException(RnsError.UNAVAILABLE, "the group of databases has not agreed on the commit", e);
      case HELD_BACK -> new RnsException(RnsError.UNAVAILABLE, "the group of databases is changing its primary", e);
      case 1040, 1203 -> new RnsException(RnsError.UNAVAILABLE, "the database accepts no more connections", e);
      case 1045 ->
        new RnsException(RnsError.UNAVAILABLE, "access denied: the database refuses the account or its password", e);
      case 1044 ->
        new RnsException(RnsError.UNAVAILABLE,
            "access denied: the account has no rights in that schema, or there is none", e);
      case 1049 -> new RnsException(RnsError.UNAVAILABLE, "the database has no schema of that name", e);
      default -> isCutOff(e) || isConnectionTrouble(e) ? unavailable(e) : internal(e);
    };
  }

  /**
   * The same for an error on a connection that is closed by now: what the pool and the driver say of a second use has
   * no state, or a general one, and is no defect.
   */
  static RnsException ofClosed(SQLException e) {
    RnsException error = toException(e);
    return error.error() == RnsError.INTERNAL
        ? unavailable(new SQLNonTransientConnectionException(e.getMessage(), CLOSED, e))
        : error;
  }

  /** Whether what failed so before a commit need only run again, on another connection, soon. */
  public static boolean passes(RnsException e) {
    return e.getCause() instanceof SQLException cause && (isCutOff(cause) || cause.getErrorCode() == HELD_BACK);
  }

  /**
   * Whether the other side ended the connection, as it does to all its clients when it stops, or when an operator or
   * another server has them ended; not if it keeps silent.
   */
  private static boolean isCutOff(SQLException e) {
    return switch (e.getErrorCode()) {
      // The first one ends a statement that was running.
      case 1317, 1053, 1152, 1158, 1159, 1160, 1161, 1927, 3169, 4031 -> true;
      default -> (String.valueOf(e.getSQLState()).startsWith("08") || isFromNetwork(e)) && !isTimeout(e);
    };
  }

  /** The driver gives no state of connections when one is lost between the rows of a result. */
  private static boolean isFromNetwork(Throwable e) {
    return e instanceof IOException || (e.getCause() != null && isFromNetwork(e.getCause()));
  }

  static boolean isTimeout(Throwable e) {
    return e instanceof SocketTimeoutException || (e.getCause() != null && isTimeout(e.getCause()));
  }

  private static boolean isConnectionTrouble(SQLException e) {
    String state = e.getSQLState();
    return e instanceof SQLTimeoutException
        || e instanceof java.sql.SQLTransientException
        || e instanceof java.sql.SQLRecoverableException
        || e instanceof SQLNonTransientConnectionException
        || isFromNetwork(e)
        || (state != null && (state.startsWith("08") || state.startsWith("57P") || state.equals("S1009")));
  }

  private static RnsException storageFull(SQLException e) {
    return new RnsException(RnsError.STORAGE_FULL, NO_SPACE, e);
  }

  private static RnsException unavailable(SQLException e) {
    String kind = ConnectionTrouble.kind(e);
    return new RnsException(RnsError.UNAVAILABLE,
        "the database cannot be reached" + (kind.isEmpty() ? "" : ": " + kind), e);
  }

  /** The innermost cause, for the log. */
  static String detail(SQLException e) {
    return ConnectionTrouble.detail(e);
  }

  private static RnsException internal(SQLException e) {
    return new RnsException(
        RnsError.INTERNAL,
        "the database refused a statement (error " + e.getErrorCode() + ", state " + e.getSQLState() + ")", e);
  }

  /** Whether a unique key was violated. */
  public static boolean isDuplicateKey(RnsException e) {
    return e.getCause() instanceof SQLIntegrityConstraintViolationException cause && isDuplicateKey(cause);
  }

  private static boolean isDuplicateKey(SQLException e) {
    return e instanceof SQLIntegrityConstraintViolationException && e.getErrorCode() != NULL_REFUSED;
  }

  /**
   * Whether the database refused a statement, or the commit itself, so that a transaction whose last statement is the
   * commit was not committed. Not all that it answers says that: a commit that is interrupted may have been made.
   */
  public static boolean isRefusal(SQLException e) {
    return switch (e.getErrorCode()) {
      case LOCK_WAIT_TIMEOUT, DEADLOCK, HELD_BACK, READ_ONLY, READ_ONLY_MODE, TABLE_FULL, DISK_FULL -> true;
      default ->
        isDuplicateKey(e) || isGuard(e) || e instanceof SQLDataException || e instanceof SQLSyntaxErrorException;
    };
  }

  /** Whether the state of the server group was not the one that a transaction began with. */
  public static boolean isGuard(SQLException e) {
    return e.getErrorCode() == NULL_REFUSED;
  }

  /** Whether the database did not answer what was sent: it may still get it. */
  public static boolean isUnanswered(SQLException e) {
    return e.getErrorCode() == 0;
  }
}
