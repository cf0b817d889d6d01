package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/** What must be true of an entry for a write to it to be applied. */
public sealed interface Precondition {
  /** Nothing: an addition replaces what is there, a change applies to any version. */
  Precondition NONE = new None();

  /** The name must be free; the default of additions. */
  Precondition IF_ABSENT = new IfAbsent();

  /**
   * The entry must have this version (compare and set).
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the version is not above zero
   */
  static Precondition ifVersion(long version) {
    return new IfVersion(version);
  }

  /** See {@link Precondition#NONE}. */
  record None() implements Precondition {}

  /** See {@link Precondition#IF_ABSENT}. */
  record IfAbsent() implements Precondition {}

  /**
   * See {@link Precondition#ifVersion}.
   *
   * @param version the version that the entry must have
   */
  record IfVersion(long version) implements Precondition {
    /** Checks the version. */
    public IfVersion {
      if (version <= 0) {
        throw new RnsException(RnsError.INVALID_REQUEST, "version " + version + " is not above zero");
      }
    }
  }
}
