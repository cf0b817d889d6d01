package io.rns.cli;

import io.rns.error.RnsError;

/** What a command's exit code tells scripts. */
final class ExitCode {
  /** It was done. */
  static final int DONE = 0;

  /** The namespace refused it, or part of it. */
  static final int REFUSED = 1;

  /** The command line is wrong. */
  static final int USAGE = 2;

  /** No server could be reached, or none that could answer. */
  static final int UNREACHABLE = 3;

  /** The caller is not permitted to do it. */
  static final int NOT_PERMITTED = 4;

  private ExitCode() {}

  /** The code of an error. */
  static int of(RnsError error) {
    if (error == RnsError.NOT_PERMITTED) {
      return NOT_PERMITTED;
    }
    return switch (error.kind()) {
      case CALLER -> REFUSED;
      case ELSEWHERE, TRANSIENT, BUG -> UNREACHABLE;
    };
  }
}
