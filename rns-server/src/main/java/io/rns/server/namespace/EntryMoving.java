package io.rns.server.namespace;

import io.rns.api.Target;
import io.rns.error.RnsError;
import io.rns.error.RnsException;

/** It is not decided yet in which server group an entry is: a read waits for that, a write is refused. */
final class EntryMoving extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EntryMoving(String entry) {
    this("'" + entry + "'", " is moving to another server group");
  }

  private EntryMoving(String which, String what) {
    super(which + what, null, false, false);
  }

  /** An entry somewhere below a directory, whose name the caller may not see. */
  static EntryMoving below(Target directory) {
    return new EntryMoving("an entry below '" + directory + "'", " is moving to another server group");
  }

  EntryMoving(Target target) {
    this(target.toString());
  }

  /** For a write. */
  RnsException refused() {
    return new RnsException(RnsError.BUSY, getMessage() + "; retry", this);
  }

  /** For a read that has waited. */
  RnsException undecided(long millis) {
    return new RnsException(
        RnsError.UNAVAILABLE, getMessage() + ", which has not answered for " + millis + " ms", this);
  }
}
