package io.rns.loadtest.history;

import io.rns.api.Position;

/** What the caller of a write was told. */
public sealed interface WriteOutcome {
  /**
   * It is done.
   *
   * @param position where it stands in the order of changes
   */
  record Acknowledged(Position position) implements WriteOutcome {}

  /**
   * It is not done, and this request will not do it.
   *
   * @param code the name of the error
   * @param message what the service said
   */
  record Refused(String code, String message) implements WriteOutcome {
    /** Whether the namespace refused it, and not a server that is not the primary. */
    boolean byTheNamespace() {
      return !code.equals("NOT_PRIMARY");
    }
  }

  /**
   * Nobody knows.
   *
   * @param why what the client said
   */
  record Unknown(String why) implements WriteOutcome {}
}
