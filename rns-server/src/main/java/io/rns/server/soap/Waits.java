package io.rns.server.soap;

import io.rns.api.Consistency;
import io.rns.api.Positions;
import io.rns.api.Target;
import java.util.List;

/** Tells which requests may have to wait, and so are better answered by a thread that costs nothing. */
public interface Waits {
  /** None does, or not for long. */
  Waits NEVER = (read, consistency, seen) -> false;

  /**
   * Whether a request may have to wait.
   *
   * @param read what it reads; empty if it is not a plain read
   * @param consistency of the read
   * @param seen what its caller has seen
   */
  boolean mayWait(List<Target> read, Consistency consistency, Positions seen);
}
