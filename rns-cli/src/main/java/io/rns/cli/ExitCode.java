package io.rns.cli;

import io.rns.error.RnsError;

/** The exit codes of commands, for scripts. */
final class ExitCode {
  /** Success. */
  static final int DONE = 0;

  /** The namespace refused the command, or part of it. */
  static final int REFUSED = 1;

  /** The command line is wrong. */
  static final int USAGE = 2;

  /** No server is reachable, or none can answer. */
  static final int UNREACHABLE = 3;

  /** The caller lacks permission. */
  static final int NOT_PERMITTED = 4;

  private ExitCode() {}

  /** The code of an error. */
  static int of(RnsError error) {
    if (error == RnsError.NOT_PERMITTED || error == RnsError.NOT_AUTHENTICATED) {
      return NOT_PERMITTED;
    }
    if (error == RnsError.DELEGATED) {
      // Servers pass requests on; what is left is refused, such as a move to another server group.
      return REFUSED;
    }
    return switch (error.kind()) {
      case CALLER -> REFUSED;
      case ELSEWHERE, TRANSIENT, BUG -> UNREACHABLE;
    };
  }
}
