package io.rns.loadtest.cli;

/** An option, or a combination of options, that a command does not accept. The command prints why, and its usage. */
final class InvalidOptionException extends RuntimeException {
  InvalidOptionException(String message) {
    super(message);
  }

  static void require(String option, boolean good, String bounds) {
    reject(!good, option + " must be " + bounds);
  }

  static void reject(boolean wrong, String why) {
    if (wrong) {
      throw new InvalidOptionException(why);
    }
  }
}
