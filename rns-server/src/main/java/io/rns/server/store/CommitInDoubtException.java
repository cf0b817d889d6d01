package io.rns.server.store;

import java.sql.SQLException;

/** Nobody knows whether a commit was made: only the database can tell, once it is reached again. */
public final class CommitInDoubtException extends SQLException {
  private static final long serialVersionUID = 1L;

  CommitInDoubtException(SQLException cause) {
    super(cause.getMessage(), cause.getSQLState(), cause.getErrorCode(), cause);
  }
}
