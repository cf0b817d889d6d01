package io.rns.api;

import io.rns.error.RnsError;
import io.rns.error.RnsException;

/** A condition on the entry under which a write is applied. */
public sealed interface Precondition {
  /** No condition: an addition replaces an existing entry, an update applies to any version. */
  Precondition NONE = new None();

  /** The name must be free; the default for additions. */
  Precondition IF_ABSENT = new IfAbsent();

  /**
   * The entry must have this version (compare and set).
   *
   * @throws RnsException {@link RnsError#INVALID_REQUEST} if the version is not positive
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
   * @param version the required version of the entry
   */
  record IfVersion(long version) implements Precondition {
    public IfVersion {
      if (version <= 0) {
        throw new RnsException(RnsError.INVALID_REQUEST, "version " + version + " is not above zero");
      }
    }
  }
}
